import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  clearState,
  incrementIteration,
  listLoops,
  type LoopStateOptions,
  readState,
  writeState,
} from "./loop-state-files.ts";

const state = {
  active: true,
  iteration: 1,
  maxIterations: 5,
  completionPromise: "DONE",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix\nit, 'all' of \"it\" $& 🙂",
  sessionId: "s1",
};
const old = {
  active: true,
  iteration: 3,
  max_iterations: 7,
  completion_promise: "OK",
  started_at: "2026-11-14T12:00:00.000Z",
  prompt: "Old",
  session_id: "s1",
};

let directory = "";
let log: string[] = [];
let options: LoopStateOptions = {};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ralph-loop-state-"));
  log = [];
  options = { stateDir: join(directory, "state"), workdir: directory, log: ({ text }) => log.push(text) };
});

afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true, force: true });
});

const folder = (): string => join(directory, "state", "library-s1");
const file = (): string => join(folder(), "state.json");

describe("a loop's state", () => {
  it("is read as it was written, in two-space JSON, and nothing else is left (S0-12, S0-15, CW-0K)", () => {
    expect(writeState(state, options)).toBe(true);
    expect(readState("s1", options)).toEqual(state);
    expect(readFileSync(file(), "utf8")).toMatch(/^\{\n {2}"version": 3,\n/);
    expect(readdirSync(join(directory, "state"))).toEqual(["library-s1"]);
    expect(log).toEqual([]);
  });

  it("is null without a file, silently (S0-10)", () => expect([readState("s1", options), log]).toEqual([null, []]));

  it("counts one more (S0-14)", () => {
    writeState(state, options);
    const next = incrementIteration("s1", options);
    expect(next).toMatchObject({ iteration: 2, prompt: state.prompt });
    expect(Date.parse(next?.lastIterationAt ?? "")).toBeGreaterThan(0);
    expect(readState("s1", options)).toEqual(next);
    expect(incrementIteration("s2", options)).toBeNull();
  });

  it("is cleared, also when there is none (S0-13)", () => {
    writeState(state, options);
    expect([clearState("s1", options), readState("s1", options), clearState("s1", options)]).toEqual([
      true,
      null,
      true,
    ]);
  });

  it("without a session is the newest of the directory (S0-26)", () => {
    writeState(state, options);
    writeState({ ...state, sessionId: "s2", startedAt: "2026-11-15T13:00:00.000Z" }, options);
    expect(readState(undefined, options)?.sessionId).toBe("s2");
    expect(readState(undefined, { ...options, workdir: "/elsewhere" })).toBeNull();
  });

  it("is kept aside when it is broken, with a warning, and is no loop (S0-11, CW-0K, CW-0L, R-40)", () => {
    for (const broken of ['{"active": tr', '{"active": 1}', "", "[]"]) {
      mkdirSync(folder(), { recursive: true });
      writeFileSync(file(), broken);
      log = [];
      expect(readState("s1", options)).toBeNull();
      expect(log).toEqual([expect.stringMatching(/^\[ralph-loop\] Failed to read state: .*it is kept as .*corrupt/s)]);
      const aside = readdirSync(join(directory, "state")).filter((name) => name.includes(".corrupt-"));
      const kept = aside.map((name) => readFileSync(join(directory, "state", name, "state.json"), "utf8"));
      expect(kept).toContain(broken);
    }
    expect(writeState(state, options)).toBe(true);
  });

  it("is not written over by what is no state (CW-0L)", () => {
    writeState(state, options);
    expect(writeState({ ...state, iteration: 0 }, options)).toBe(false);
    expect([readState("s1", options)?.iteration, log.length]).toEqual([1, 1]);
  });

  it("survives a path that is a folder, and a parent that is a file (R-41)", () => {
    mkdirSync(file(), { recursive: true });
    expect([readState("s1", options), writeState(state, options)]).toEqual([null, false]);
    expect(log.at(-1)).toMatch(/^\[ralph-loop\] Failed to write state: /);
    writeFileSync(join(directory, "plain"), "");
    const below = { ...options, stateDir: join(directory, "plain", "state") };
    expect([readState("s1", below), writeState(state, below), incrementIteration("s1", below)]).toEqual([
      null,
      false,
      null,
    ]);
  });

  it.skipIf(process.getuid?.() === 0)("is kept when its folder is read-only (R-41, S0-13)", () => {
    writeState(state, options);
    chmodSync(join(directory, "state"), 0o500);
    expect([writeState({ ...state, iteration: 2 }, options), clearState("s1", options)]).toEqual([false, false]);
    chmodSync(join(directory, "state"), 0o700);
    expect(readState("s1", options)?.iteration).toBe(1);
  });

  it("takes a dead process's lock over, and waits for no living one for ever (R-40)", () => {
    writeState(state, options);
    writeFileSync(`${folder()}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, startTime: "1", host: hostname() }));
    expect(writeState({ ...state, iteration: 2 }, options)).toBe(true);
    expect(existsSync(`${folder()}.lock`)).toBe(false);
  });

  it("of the older generation is read, and taken over once (S0-09, S0-47)", () => {
    mkdirSync(join(directory, "state"));
    const path = join(directory, "state", "ralph-loop-state.json");
    writeFileSync(path, JSON.stringify(old));
    expect(readState("s1", options)).toMatchObject({ iteration: 3, maxIterations: 7, completionPromise: "OK" });
    expect(readState("s2", options)).toBeNull();
    expect(incrementIteration("s1", options)?.iteration).toBe(4);
    expect(existsSync(path)).toBe(false);
    expect([clearState("s1", options), readState("s1", options)]).toEqual([true, null]);
  });

  it("of the older generation in a project counts only if it is older than this program (S0-09)", () => {
    const home = { ...process.env };
    process.env["RALPH_STATE_HOME"] = join(directory, "home");
    try {
      const { stateDir: _own, ...shared } = options;
      mkdirSync(join(directory, ".supercoin"));
      const path = join(directory, ".supercoin", "ralph-loop-state.json");
      writeFileSync(path, JSON.stringify(old));
      expect(readState("s1", shared)).toBeNull();
      utimesSync(path, 1, 1);
      expect(readState("s1", shared)?.iteration).toBe(3);
    } finally {
      process.env = home;
    }
  });
});

describe("listLoops", () => {
  it("lists what can be read and names what cannot (R-40)", () => {
    writeState(state, options);
    writeState({ ...state, sessionId: "A/b" }, options);
    writeFileSync(join(directory, "state", "session-x.json"), "{");
    const problems: string[] = [];
    const loops = listLoops(join(directory, "state"), (text) => problems.push(text));
    expect(loops.map(({ loop }) => loop.sessionId).toSorted()).toEqual(["A/b", "s1"]);
    expect(problems.length).toBe(1);
    expect(listLoops(join(directory, "nowhere"), (text) => problems.push(text))).toEqual([]);
  });
});
