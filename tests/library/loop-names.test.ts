import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as library from "../../src/index.ts";
import type {
  RalphLoopConfig,
  RalphLoopHook,
  RalphLoopOptions,
  RalphLoopState,
  StartLoopOptions,
} from "../../src/index.ts";

/** What a host shows, with the words of its own. */
type ShownToast = { title: string; message: string; variant: string; duration?: number };

/** A folder that is gone after the test, and a state folder of its own. */
function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-names-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  vi.stubEnv("RALPH_STATE_HOME", join(folder, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(folder, "work"));
  return folder;
}

const state: RalphLoopState = {
  active: true,
  iteration: 1,
  maxIterations: 3,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Do it.",
  sessionId: "s1",
};

const template = `[RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]

Your previous attempt did not output the completion promise. Continue working on the task.

IMPORTANT:
- Review your progress so far
- Continue from where you left off${"  "}
- When FULLY complete, output: <promise>{{PROMISE}}</promise>
- Do not stop until the task is truly done

Original task:
{{PROMPT}}`;

describe("the constants of the loop in a session (S0-03, S0-21)", () => {
  it.each([
    ["HOOK_NAME", library.HOOK_NAME, "ralph-loop"],
    ["DEFAULT_MAX_ITERATIONS", library.DEFAULT_MAX_ITERATIONS, 100],
    ["DEFAULT_COMPLETION_PROMISE", library.DEFAULT_COMPLETION_PROMISE, "DONE"],
    ["DEFAULT_CONTINUATION_DELAY", library.DEFAULT_CONTINUATION_DELAY, 500],
    [
      "DEFAULT_CONFIG",
      library.DEFAULT_CONFIG,
      { enabled: true, defaultMaxIterations: 100, defaultCompletionPromise: "DONE", continuationDelay: 500 },
    ],
    ["CONTINUATION_PROMPT_TEMPLATE", library.CONTINUATION_PROMPT_TEMPLATE, template],
  ])("%s is what hosts know it as", (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe.each([["in the state folder"], ["in a folder of its own"]])("the state of a directory, %s", (where) => {
  const open = (): { workdir: string; stateDir: string | undefined } => {
    const folder = scratch();
    return {
      workdir: join(folder, "work"),
      stateDir: where === "in the state folder" ? undefined : join(folder, "own"),
    };
  };
  const { readState, writeState, clearState, incrementIteration } = library;

  it("is read as it was written, and is nothing before and after (S0-10, S0-15)", () => {
    const { workdir, stateDir } = open();
    expect(readState(workdir, stateDir)).toBeNull();
    expect(writeState(workdir, state, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toEqual(state);
    expect(readState(join(workdir, ".."), stateDir)).toBeNull();
    expect(clearState(workdir, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toBeNull();
    expect(clearState(workdir, stateDir)).toBe(true);
  });

  it("counts an iteration more, with its time (S0-14)", () => {
    const { workdir, stateDir } = open();
    expect(incrementIteration(workdir, stateDir)).toBeNull();
    writeState(workdir, state, stateDir);
    const counted = incrementIteration(workdir, stateDir);
    expect(counted).toMatchObject({ ...state, iteration: 2 });
    expect(Date.parse(counted?.lastIterationAt ?? "")).toBeGreaterThan(Date.parse(state.startedAt));
    expect(readState(workdir, stateDir)).toEqual(counted);
  });

  it("is that of the newest active loop, and a clear leaves none (CW-0D)", () => {
    const { workdir, stateDir } = open();
    const newer = { ...state, sessionId: "s2", startedAt: "2026-11-15T13:00:00.000Z" };
    const over = { ...state, sessionId: "s3", startedAt: "2026-11-15T14:00:00.000Z", active: false };
    for (const each of [newer, state, over]) writeState(workdir, each, stateDir);
    expect(readState(workdir, stateDir)).toEqual(newer);
    clearState(workdir, stateDir);
    expect(readState(workdir, stateDir)).toBeNull();
    writeState(workdir, over, stateDir);
    expect(readState(workdir, stateDir)).toEqual(over);
  });
});

describe("what a state refuses", () => {
  it("is false or null for what cannot be stored or read, and says so on the console (S0-11, S0-12)", () => {
    const workdir = join(scratch(), "work");
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const notFolder = join(workdir, "file");
    writeFileSync(notFolder, "");
    expect(library.writeState(workdir, state, notFolder)).toBe(false);
    expect(library.writeState(workdir, { ...state, iteration: 0 })).toBe(false);
    const lines = warn.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => line.replace(/: .*/, ""))).toEqual(
      lines.map(() => "[ralph-loop] Failed to write state"),
    );
    expect(lines.length).toBeGreaterThanOrEqual(2);
  });

  it("is a RalphError for a directory that is no text", () => {
    const workdir = undefined as unknown as string;
    expect(() => library.readState(workdir)).toThrow(
      "readState: workdir is missing, expected a text that is not empty.",
    );
  });
});

describe("detectCompletionPromise (S0-16, S0-17)", () => {
  it.each([
    ["<promise>DONE</promise>", "DONE", true],
    ["All is done.\n<promise>\n  done \n</promise>\n", "DONE", true],
    ["<PROMISE>Done</PROMISE>", "DONE", true],
    ["<promise>A.B*(1)</promise>", "A.B*(1)", true],
    ["<promise>AxB*(1)</promise>", "A.B*(1)", false],
    ["DONE", "DONE", false],
    ["<promise></promise>", "", false],
  ])("of %j with %j is as expected", (text, promise, expected) => {
    expect(library.detectCompletionPromise(text, promise)).toBe(expected);
  });
});

describe("detectInMessages (S0-19)", () => {
  it.each([
    [[], false],
    [[{ role: "user", content: "<promise>DONE</promise>" }], false],
    [[{ content: "<promise>DONE</promise>" }], false],
    [[{ role: "assistant" }, { role: "assistant", content: "<promise>DONE</promise>" }, { role: "user" }], true],
  ])("of %j resolves as expected", async (messages, expected) => {
    const found = library.detectInMessages(messages, "DONE");
    expect(found).toBeInstanceOf(Promise);
    expect(await found).toBe(expected);
  });
});

describe("detectInTranscript (S0-18, CW-0B)", () => {
  const tag = "<promise>DONE</promise>";
  const line = (entry: unknown): string => `${JSON.stringify(entry)}\n`;

  it.each([
    ["the assistant's text", line({ role: "assistant", content: tag }), true],
    [
      "a message within an entry",
      line({ type: "assistant", message: { content: [{ type: "text", text: tag }] } }),
      true,
    ],
    ["plain text", `So.\n${tag}\n`, true],
    ["the user's text", line({ role: "user", content: tag }), false],
    ["a tool's input", line({ role: "assistant", content: [{ type: "tool_use", text: tag }] }), false],
    ["a sub-agent", line({ type: "assistant", isSidechain: true, message: { content: tag } }), false],
    ["a half-written line", `${line({ role: "user", content: "x" })}{"role":"assistant","content":"${tag}`, false],
  ])("looks at %s", (_, content, expected) => {
    const path = join(scratch(), "transcript.jsonl");
    writeFileSync(path, content);
    expect(library.detectInTranscript(path, "DONE")).toBe(expected);
  });

  it("is false without a path, without a file, and for a folder", () => {
    const folder = scratch();
    for (const path of [undefined, join(folder, "none"), folder])
      expect(library.detectInTranscript(path, "DONE")).toBe(false);
  });
});

describe("buildContinuationPrompt (S0-20, CW-0C)", () => {
  it("fills the template of the loop, and any other", () => {
    const prompt = library.buildContinuationPrompt(library.CONTINUATION_PROMPT_TEMPLATE, {
      ...state,
      prompt: "cost $&",
    });
    expect(prompt.split("\n")[0]).toBe("[RALPH LOOP - ITERATION 1/3]");
    expect(prompt).toContain("output: <promise>DONE</promise>");
    expect(prompt.endsWith("Original task:\ncost $&")).toBe(true);
    expect(library.buildContinuationPrompt("{{ITERATION}} of {{MAX}}", state)).toBe("1 of 3");
  });
});

describe("createRalphLoopHook (S0-06, S0-07, S0-08)", () => {
  it("has the name, the events and the functions that hosts register", () => {
    const hook: RalphLoopHook = library.createRalphLoopHook();
    expect(hook).toMatchObject({
      name: "ralph-loop",
      description: "Agentic iteration loop for autonomous task completion",
      priority: 50,
      events: ["session.idle", "session.error", "session.deleted"],
    });
    expect(hook.getState("no-such-session")).toBeNull();
    expect(hook.isLoopActive("no-such-session")).toBe(false);
    expect(hook.cancelLoop("no-such-session")).toBe(false);
    hook.dispose();
  });

  it("refuses options by name", () => {
    const open = (options: unknown) => () => library.createRalphLoopHook(options as RalphLoopOptions);
    expect(open({ getMessages: [] })).toThrow(
      "createRalphLoopHook: option getMessages is a list of 0, expected a function.",
    );
    expect(open({ config: "x" })).toThrow('createRalphLoopHook: option config is "x", expected an object or null.');
    expect(open({ injectPromt: () => {} })).toThrow("there is no option injectPromt; did you mean injectPrompt?");
  });

  it.each([
    [{ continuationDelay: "500" }, 'option config.continuationDelay is "500", expected milliseconds from 0 to 3600000'],
    [{ continuationDelay: -1 }, "option config.continuationDelay is -1, expected milliseconds"],
    [{ defaultMaxIterations: -1 }, "option config.defaultMaxIterations is -1, expected a whole number of at least 1"],
    [{ defaultCompletionPromise: " " }, 'option config.defaultCompletionPromise is " ", expected a text'],
    [{ enabled: "no" }, 'option config.enabled is "no", expected true or false'],
    [{ stateDir: 5 }, "option config.stateDir is 5, expected a text"],
    [{ enabeld: false }, "there is no option config.enabeld; did you mean config.enabled?"],
  ])("refuses the configuration %o when it is made", (config, said) => {
    const open = () => library.createRalphLoopHook({ config } as unknown as RalphLoopOptions);
    expect(open).toThrow(library.RalphError);
    expect(open).toThrow(`createRalphLoopHook: ${said}`);
  });

  it("takes a configuration whose keys are left out or undefined", () => {
    const config = { stateDir: undefined, enabled: undefined } as unknown as Partial<RalphLoopConfig>;
    expect(() => library.createRalphLoopHook({ config }).dispose()).not.toThrow();
  });

  it("starts, shows and cancels a loop that readState of its directory finds (S0-22, S0-25, S0-43)", async () => {
    const folder = scratch();
    const workdir = join(folder, "work");
    const config: Partial<RalphLoopConfig> = { stateDir: join(folder, "own"), defaultMaxIterations: 7 };
    const toasts: string[] = [];
    const options: RalphLoopOptions = {
      workdir,
      config,
      criteria: null,
      log: () => {},
      getMessages: async (): Promise<{ role?: string; content?: string }[]> => [],
      injectPrompt: async (): Promise<void> => {},
      checkSessionExists: async (): Promise<boolean> => true,
      showToast: ({ title, message, variant, duration }: ShownToast) =>
        toasts.push(`${title} / ${message} / ${variant} / ${duration}`),
    };
    const hook = library.createRalphLoopHook(options);
    onTestFinished(() => hook.dispose());
    const start: StartLoopOptions = { completionPromise: "REFACTOR_COMPLETE", description: "db" };
    expect(hook.startLoop("s1", "Refactor the database layer", start)).toBe(true);
    const found = library.readState(workdir, config.stateDir);
    expect(found).toEqual(hook.getState("s1"));
    expect(found).toMatchObject({
      iteration: 1,
      maxIterations: 7,
      completionPromise: "REFACTOR_COMPLETE",
      description: "db",
    });
    expect(hook.cancelLoop("s2")).toBe(false);
    expect(hook.cancelLoop("s1")).toBe(true);
    expect(library.readState(workdir, config.stateDir)).toBeNull();
    await hook.settled();
    expect(toasts).toEqual([
      "Ralph Loop Started / Max 7 iterations. Complete with <promise>REFACTOR_COMPLETE</promise> / info / 3000",
      "Ralph Loop Cancelled / Stopped at iteration 1 / info / 2000",
    ]);
  });
});

it("an agent cannot act on the loop of its own session through the library either", () => {
  const folder = scratch();
  const workdir = join(folder, "work");
  library.writeState(workdir, { ...state, sessionId: "session-of-mine" });
  const entry = JSON.stringify(new URL("../../src/index.ts", import.meta.url).href);
  const script = `import { clearState, incrementIteration, readState, writeState } from ${entry};
    const calls = [() => clearState("."), () => incrementIteration("."), () => writeState(".", { ...readState("."), active: false })];
    for (const call of calls) try { console.log(String(call())); } catch (error) { console.log(error.code); }`;
  const asked = (env: Record<string, string>): string =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: workdir,
      env: { PATH: process.env["PATH"] ?? "", RALPH_STATE_HOME: join(folder, "state"), ...env },
      encoding: "utf8",
    }).stdout;
  expect(asked({ SOME_SESSION_ID: "session-of-mine" })).toBe("own-run\nown-run\nown-run\n");
  expect(library.readState(workdir)).toMatchObject({ active: true, iteration: 1 });
  expect(asked({ SOME_SESSION_ID: "another" })).toMatch(/^true\n/);
});
