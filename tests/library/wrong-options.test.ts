import { describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { openFolder } from "./open-folder.ts";

/** A program in JavaScript can give anything. */
type Anything = Record<string, (...given: unknown[]) => unknown>;
const anything = library as unknown as Anything;

/** The error of a call, whether it is thrown or the call's promise rejects with it. */
async function errorOf(name: string, given: unknown[]): Promise<unknown> {
  try {
    await anything[name]?.(...given);
    return null;
  } catch (error) {
    return error;
  }
}

const hook = { startLoop: () => true, cancelLoop: () => true };
const machine = { store: "none" };

describe("a wrong option", () => {
  it.each([
    ["runLoop", [{ prompt: "x", checks: "true" }], 'option checks is "true", expected a list'],
    ["runLoop", [{ prompt: "x", checks: ["true", 3] }], "option checks[1] is 3, expected a command"],
    ["runTasks", [{ role: "coder" }], "there is no option role; did you mean roles?"],
    ["runPrd", [{ unsafe: "yes" }], 'option unsafe is "yes", expected true or false'],
    ["resumeRun", [{ runID: "x" }], "there is no option runID; did you mean runId?"],
    ["resumeRun", [{ runId: "x", agent: "claude" }], 'option agent is "claude", expected a function'],
    ["resumeRun", [{ runId: "x", moreIterations: 0 }], "option moreIterations is 0, expected a whole number"],
    ["superviseLoop", [{ taskDir: "/none" }], 'option taskDir is "/none", expected a directory that exists'],
    ["superviseLoop", [{ taskDir: ".", runRoot: () => null, sinks: [{}] }], "option sinks[0] is an object, expected"],
    ["verifyCriteria", [{ criterias: [] }], "there is no option criterias"],
    ["createMessageBus", [{ path: "." }], 'option path is ".", expected the path of a file'],
    ["createStreamReader", ["none"], 'agent is "none", expected'],
    ["createRalphLoopHook", [{ sinks: "none" }], 'option sinks is "none", expected a list'],
    ["runLoopCommand", [null, {}, {}], "hook is null, expected an object with the functions startLoop, cancelLoop"],
    ["runLoopCommand", [hook, {}, {}], "host is an object, expected an object with the functions injectPrompt"],
    ["cancelLoopCommand", [hook, {}, 7], "sessionId is 7, expected a text"],
    ["formatRun", [{ run: {} }], "option run is an object, expected an object with the fields id"],
    ["readState", [7], "workdir is 7, expected a text that is not empty"],
    ["detectCompletionPromise", [], "text is missing, expected a text"],
    ["detectCompletionPromise", ["<promise>DONE</promise>"], "promise is missing, expected a text"],
    ["detectInMessages", [7, "DONE"], "messages is 7, expected a list"],
    ["detectInTranscript", ["transcript.jsonl"], "promise is missing, expected a text"],
    ["parseSettings", [], "layers is missing, expected a list"],
    ["parseSettings", [[3]], "layers[0] is 3, expected an object with the fields source, value"],
    ["foldEntry", [library.emptyView], "entry is missing, expected an entry of a journal"],
    ["foldEntry", [library.emptyView, {}], "entry is an object, expected an entry of a journal"],
    ["foldEntry", [undefined, {}], "view is missing, expected an object with the fields"],
    ["wire", [{ storage: {} }], "there is no option storage"],
    ["wire", [{ killGraceMs: "5s" }], 'option killGraceMs is "5s", expected milliseconds'],
    ["startRun", [machine, {}, {}], "machine is an object, expected a machine as `wire` gives it"],
  ])("of %s is a RalphError that names the function, the option and what is expected", async (name, given, said) => {
    expect(await errorOf(name, given)).toMatchObject({
      name: "RalphError",
      code: "usage",
      message: expect.stringContaining(`${name}: ${said}`) as string,
      hint: expect.stringContaining(name) as string,
    });
  });

  it("of startRun is found before anything starts", async () => {
    const wired = await library.wire({ folder: openFolder() });
    const frozen = { projectDir: ".", prompt: {}, settings: {}, policy: {} };
    expect(await errorOf("startRun", [wired, { projectDir: "." }, {}])).toMatchObject({
      code: "usage",
      message: expect.stringContaining("frozen") as string,
    });
    expect(await errorOf("startRun", [wired, frozen, {}])).toMatchObject({
      code: "usage",
      message: expect.stringContaining("connection") as string,
    });
    await wired.store.close();
  });
});
