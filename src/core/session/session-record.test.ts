import { describe, expect, it } from "vitest";
import { session2 } from "../../../tests/replay/version-2-run.ts";
import { runStateVersion } from "../run/state.ts";
import { newSession, parseSession, type SessionRecord, withRun } from "./session-record.ts";

const loop = {
  active: true,
  iteration: 3,
  maxIterations: 5,
  completionPromise: "OK",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const given = { directory: "/p", continuationDelay: 500, criterionCount: 0, at: 7 };

describe("newSession", () => {
  it("has its iteration in progress, with the engine's state (S0-22)", () => {
    const { run } = newSession(loop, given);
    expect(run).toMatchObject({ iteration: 3, pending: { type: "begin-turn", iteration: 3 }, turnProcess: { pid: 0 } });
  });
});

describe("parseSession", () => {
  const record = newSession(loop, given);
  const checked = newSession(loop, { ...given, criterionCount: 2 });
  const stored = (): Record<string, unknown> => structuredClone({ ...record });

  it("reads what was stored (S0-15)", () => {
    const kept = { ...record, mark: 4, judgedCount: 5, idle: { count: 6, isDoubted: true }, hostError: "x" };
    expect(parseSession(JSON.parse(JSON.stringify(kept)), { ...given, directory: "/other" })).toEqual(kept);
  });

  it("makes a session of the older generation's loop (S0-09, S0-47)", () =>
    expect(
      parseSession(
        {
          active: true,
          iteration: 3,
          max_iterations: 5,
          completion_promise: "OK",
          started_at: loop.startedAt,
          prompt: "Fix it",
          session_id: "s1",
        },
        given,
      ),
    ).toEqual(record));

  it.each<[string, (value: Record<string, unknown>) => void, string]>([
    ["is missing", (value) => delete value["run"], "run: its state names no version"],
    [
      "lacks a field",
      (value) => delete (value["run"] as Record<string, unknown>)["facts"],
      "run: facts is not an object",
    ],
    ["counts otherwise", (value) => Object.assign(value["run"] as object, { iteration: 4 }), "different iterations"],
    [
      "is of another kind",
      (value) => Object.assign((value["run"] as { policy: object }).policy, { kind: "run" }),
      "run: its kind is run",
    ],
  ])("refuses a record whose engine's state %s: it might have had a gate more (CW-0L)", (_what, change, problem) => {
    const value = stored();
    change(value);
    expect(parseSession(value, given)).toContain(problem);
  });

  it("reads the versions before with the gate they had, and no newer one (CW-0L)", () => {
    const own = newSession({ ...loop, iteration: 1 }, { ...given, criterionCount: 2 });
    const pending = { ...own.run.pending, isLookOnly: false };
    const begun = { pending, iteration: 1, nextEffectId: 2, turnProcess: own.run.turnProcess };
    const old = { ...structuredClone(own), run: session2(2, { state: begun }) };
    for (const version of [1, 2]) {
      const read = parseSession({ ...old, version }, given);
      expect(read).toMatchObject({
        version: 3,
        run: {
          version: runStateVersion,
          policy: { gates: [{ id: "session-checks" }] },
          slots: { "session-checks": { count: 2 } },
        },
      });
    }
    expect(parseSession({ ...stored(), version: 9 }, given)).toContain("its version is 9");
  });

  it.each<[string, (run: SessionRecord["run"]) => object]>([
    ["without its gate", (run) => ({ policy: { ...run.policy, gates: [] } })],
    ["without the count of its checks", () => ({ slots: {} })],
    ["that counts no check", () => ({ slots: { "session-checks": { count: 0 } } })],
  ])("refuses a record %s: it would ask for less (CW-0L)", (_what, change) => {
    const own = newSession(loop, { ...given, criterionCount: 2 });
    expect(typeof parseSession({ ...own, run: { ...own.run, ...change(own.run) } }, given)).toBe("string");
  });

  it("refuses a record that lacks any one field, whichever it is", () => {
    const optionalFields = ["loop.lastIterationAt", "loop.description"];
    for (const path of pathsOf(checked).filter((each) => !optionalFields.includes(each))) {
      const value: Record<string, unknown> = structuredClone({ ...checked });
      removeAt(value, path.split("."));
      expect({ path, read: typeof parseSession(value, given) }).toEqual({ path, read: "string" });
    }
  });

  it("refuses a loop it cannot trust (CW-0L)", () => {
    expect(parseSession({ ...stored(), loop: { ...loop, maxIterations: -1 } }, given)).toContain("maxIterations");
    expect(parseSession("text", given)).toBe("it is not an object");
  });
});

/** Every field of an object, and of the objects and lists in it. */
function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [[...path, key].join("."), ...pathsOf(item, [...path, key])]);
}

function removeAt(value: Record<string, unknown>, [key = "", ...rest]: string[]): void {
  if (rest.length === 0) delete value[key];
  else removeAt(value[key] as Record<string, unknown>, rest);
}

describe("withRun", () => {
  it("takes count and end from the engine (S0-14)", () => {
    const record = newSession(loop, given);
    expect(withRun(record, { ...record.run, iteration: 4 }, 1000).loop).toMatchObject({
      iteration: 4,
      lastIterationAt: "1970-01-01T00:00:01.000Z",
    });
    const outcome = { name: "completed" as const, reason: "" };
    expect(withRun(record, { ...record.run, outcome }, 1000).loop).toEqual({ ...loop, active: false });
  });
});
