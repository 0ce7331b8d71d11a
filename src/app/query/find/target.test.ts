import { describe, expect, it } from "vitest";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { newSession } from "../../../core/session/session-record.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { createMemoryStore } from "../../../shell/stores/memory/memory-store.ts";
import { ada, createRun, everyoneLives } from "../../../../tests/contract/store-samples.ts";
import { meantTarget, type Target, targetId, targetToChange } from "./target.ts";

function run(id: string, createdAt = 0): Target {
  const kind = /^\d{8}-/.test(id) ? "run" : "session";
  const rest = { outcome: null, endedAt: null, owner: null, epoch: 1 };
  return { run: { ...sampleRun(id, { createdAt }), ...rest, kind } as RunRecord };
}

function session(sessionId: string): Target {
  const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", prompt: "Fix it" };
  const record = newSession(
    { ...loop, sessionId, startedAt: "2026-11-15T12:00:00.000Z" },
    { directory: "/p", continuationDelay: 0, criterionCount: 0, at: 0 },
  );
  return { session: record };
}

/** The chosen one and the others, or the ids that an error names. */
function meant(id: string, found: Target[]): string[] | string {
  try {
    const target = meantTarget(id, found);
    return [targetId(target), ...target.others];
  } catch (error) {
    return error instanceof RalphError ? error.message : "";
  }
}

describe("what an id means", () => {
  it.each([
    ["the run with that id", "20261115-a", [run("20261115-a")], ["20261115-a"]],
    ["the session with that id before one whose id is longer", "s1", [session("s1"), session("s1b")], ["s1"]],
    [
      "the living run of a session before its ended ones",
      "s1",
      [session("s1"), run("s1-2", 2), run("s1-1", 1)],
      ["s1", "s1-2", "s1-1"],
    ],
    ["the newest of a session's ended runs", "s1", [run("s1-1", 1), run("s1-2", 2)], ["s1-2", "s1-1"]],
    ["an ended run of a session by its own id", "s1-1", [run("s1-1", 1), run("s1-12", 2)], ["s1-1"]],
    ["the only session that begins with it", "se", [run("se-1-1", 1), run("se-1-2", 2)], ["se-1-2", "se-1-1"]],
    ["the session in the spelling of its runs", "a.b", [run("a_b-1", 1), run("a_b-2", 2)], ["a_b-2", "a_b-1"]],
    [
      "nothing when it begins several sessions",
      "s",
      [session("s1"), run("s2-1")],
      '"s" is part of the ids of 2 runs: s1, s2-1.',
    ],
    [
      "nothing when it begins several runs",
      "2026",
      [run("20261115-a"), run("20261115-b")],
      '"2026" is part of the ids of 2 runs: 20261115-a, 20261115-b.',
    ],
    [
      "nothing when it begins many runs, of which the newest are named",
      "2026",
      [1, 2, 3, 4, 5, 6, 7].map((day) => run(`2026111${day}-a`, day)),
      '"2026" is part of the ids of 7 runs: 20261117-a, 20261116-a, 20261115-a, 20261114-a, 20261113-a and 2 more.',
    ],
    ["the only one that has it anywhere", "k7", [run("20261115-k7q2")], ["20261115-k7q2"]],
    ["one that begins with it before others that have it", "se", [session("se-1"), run("20261115-seab")], ["se-1"]],
    [
      "nothing when several have it",
      "15-",
      [run("20261115-a"), run("20261115-b")],
      '"15-" is part of the ids of 2 runs: 20261115-a, 20261115-b.',
    ],
    ["nothing when there is none", "x", [], 'There is no run "x".'],
  ])("is %s", (_, id, found, expected) => {
    expect(meant(id, found)).toEqual(expected);
  });
});

it("a command that changes a run takes its id by one end of it, never by digits in its middle", async () => {
  const store = createMemoryStore();
  await createRun(store, sampleRun("20261117-062908-t29k"), ada, everyoneLives);
  const context = { store, folder: "/nowhere", onProblem: () => {} } as unknown as Parameters<typeof targetToChange>[0];
  for (const part of ["20261117-062908-t29k", "20261117", "t29k", "-t29k"])
    expect(targetId(await targetToChange(context, part))).toBe("20261117-062908-t29k");
  await expect(targetToChange(context, "062908")).rejects.toThrow("only a part in the middle");
});
