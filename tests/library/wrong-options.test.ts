import { chmodSync } from "node:fs";
import { join } from "node:path";
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

const halfStore = { create: none, take: none, commit: none, find: none, list: none };

/** A kind of gate with one gate. */
function ownGate(name: string, id = "g1"): library.GateKind {
  const gate = { id, kind: name, name: "G", when: "on-claim", isBeforeDelivery: true, isAlways: false } as const;
  const rest = { origin: "me", limits: { wallMs: null }, tells: "reason", spec: null } as const;
  return { name, gatesOf: () => [{ ...gate, ...rest }], open: () => async () => library.plainAnswer([]) };
}

function none(): Promise<null> {
  return Promise.resolve(null);
}

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
    ["wire", [{ disk: {} }], "option disk is an object, expected an object with the functions look, list, open"],
    [
      "wire",
      [{ agents: {} }],
      "option agents is an object, expected an object with known, a list of adapters, and fallback",
    ],
    ["wire", [{ liveness: {} }], "option liveness is an object, expected"],
    [
      "runLoop",
      [{ prompt: "x", store: halfStore }],
      "option store is an object, expected an object with the functions",
    ],
    [
      "runLoop",
      [{ prompt: "x", agent: { command: "x", flags: "--a" } }],
      'option agent.flags is "--a", expected a list',
    ],
    [
      "runLoop",
      [{ prompt: "x", agent: { command: "x", extra: 1 } }],
      "option agent.extra is 1, expected only the fields",
    ],
    ["runLoop", [{ prompt: "x", agent: { command: "" } }], 'option agent.command is "", expected a text'],
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

const done = (): string => "<promise>DONE</promise>";
const place = () => ({
  prompt: "x",
  projectDir: openFolder(),
  stateFolder: openFolder(),
  agent: done,
  checks: ["true"],
});

describe("an option that only the start of a run shows to be wrong", () => {
  it("is named where the folder of the state cannot be made, at once", async () => {
    for (const stateFolder of ["/proc/nope", join(openFolder({ file: "" }), "file", "state")])
      await expect(library.runLoop({ ...place(), stateFolder }).outcome).rejects.toMatchObject({
        name: "RalphError",
        message: expect.stringContaining(`option stateFolder (${stateFolder}) cannot be used`) as string,
      });
  });

  it("is named where a gate has the id of another one, and nothing is stored", async () => {
    const given = { ...place(), gates: [ownGate("g", "guardrail-1")] };
    await expect(library.runLoop(given).outcome).rejects.toMatchObject({
      code: "contract",
      message: 'Two gates have the id "guardrail-1": one of the kind guardrail, one of the kind g.',
      hint: expect.stringContaining("option gates") as string,
    });
    expect(await library.listRuns({ stateFolder: given.stateFolder })).toEqual({ runs: [], problems: [] });
  });

  it("is named where a kind of gate has the name of another one", async () => {
    const refused = (gates: library.GateKind[]) =>
      library.runLoop({ ...place(), gates }).outcome.catch((error: unknown) => error);
    expect(await refused([ownGate("guardrail")])).toMatchObject({
      code: "usage",
      message: "The option gates[0] (guardrail) cannot be used: a kind of ralph has this name.",
    });
    expect(await refused([ownGate("g"), ownGate("g", "g2")])).toMatchObject({
      code: "usage",
      message: "The option gates[1] (g) cannot be used: gates[0] has the same name.",
    });
  });

  it("is named where no task has the id", async () => {
    const { prompt: _, checks: __, ...rest } = place();
    await expect(library.runTasks({ ...rest, tasks: ["zzz"] }).outcome).rejects.toMatchObject({
      name: "RalphError",
      message: expect.stringMatching(/^runTasks: option tasks.*zzz/) as string,
    });
  });

  it("is named where the reader of an adapter cannot be made", async () => {
    const folder = openFolder({ toy: "#!/bin/sh\n" });
    chmodSync(join(folder, "toy"), 0o755);
    const adapter: library.AgentAdapter = {
      name: "toy",
      commands: ["toy"],
      reportsCost: false,
      spendCovers: "process",
      readUsage: null,
      keyVariables: [],
      hostMarkers: [],
      signIn: null,
      editFlags: null,
      env: {},
      invocation: ({ command }) => ({ argv: [command], stdin: null, usesAnswerFile: false, isReadOnly: false }),
      createReader: () => {
        throw new Error("no reader");
      },
    };
    const given = { ...place(), agent: join(folder, "toy"), agents: [adapter] };
    await expect(library.runLoop(given).outcome).rejects.toMatchObject({
      code: "usage",
      message: "The option agents[0] (toy) cannot be used: createReader threw: no reader.",
    });
  });
});
