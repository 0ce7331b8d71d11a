import { describe, expect, it } from "vitest";
import { beginSession, cancelSession, linesOf } from "./session-journal.ts";
import { isAccepting, isReplayed, replaySession, sessionRunId } from "./session-run.ts";

const loop = {
  active: true,
  iteration: 1,
  maxIterations: 5,
  completionPromise: "OK",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const begun = beginSession(loop, { directory: "/p", continuationDelay: 0, criterionCount: 0, at: 7 });
const ended = cancelSession(begun.record, { at: 9, upMs: 1 });
const lines = [...linesOf(begun, 0, 7), ...linesOf(ended, 3, 7)];

describe("replaySession", () => {
  it("gives the journal of a run, whose notes hold what the entries after them fold on from", () => {
    const { id, first, last, journal, problem } = replaySession(ended.record, lines);
    expect([id, first, last, problem]).toEqual(["s1-20261115120000000", begun.begin?.record, ended.record, null]);
    expect(journal.map(({ kind, at }) => [kind, at])).toEqual([
      ["note", 7],
      ["step", 7],
      ["step", 7],
      ["step", 9],
      ["step", 9],
    ]);
    expect(journal[0]).toMatchObject({ upgraded: { state: begun.begin?.record.run } });
  });

  it.each<[string, Parameters<typeof replaySession>[1], string]>([
    [
      "a line cannot be read",
      [...lines.slice(0, 2), "it is odd", ...lines.slice(3)],
      "Line 3 of the session's journal does not fold: it is odd.",
    ],
    [
      "its begin cannot be read",
      ["it is odd", ...lines.slice(1)],
      "Lines 1, 2, 3, 4 and 5 of the session's journal do not fold; line 1: it is odd.",
    ],
    [
      "many lines cannot be read",
      [...lines, ...Array.from({ length: 30 }, () => "it is odd")],
      "Lines 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 20 more of the session's journal do not fold; line 6: it is odd.",
    ],
    ["lines are missing at its end", lines.slice(0, 3), "another state than the stored one"],
    ["there is no line", [], "another state than the stored one"],
  ])("says that %s, and what it ends with is shown by lines", (_, found, words) => {
    const { journal, problem, last } = replaySession(ended.record, found);
    expect(problem).toContain(words);
    expect(journal.at(-1)).toMatchObject({ text: problem, isGap: true, upgraded: { state: last.run } });
  });

  it("does not believe a stored claim that the lines do not show (the journal of a session counts)", () => {
    const completed = { name: "completed" as const, reason: "I say so." };
    const edited = { ...ended.record, run: { ...ended.record.run, outcome: completed } };
    for (const found of [lines.slice(0, 3), [], ["it is odd"], lines])
      expect(replaySession(edited, found).last.run.outcome?.name).not.toBe("completed");
  });

  it("keeps every line that folds, also after one that does not", () => {
    const { journal } = replaySession(ended.record, [...lines.slice(0, 2), "it is odd", ...lines.slice(3)]);
    expect(journal.map(({ kind }) => kind)).toEqual(["note", "step", "step", "step", "note"]);
  });
});

describe("isReplayed", () => {
  it("holds for the record that the lines lead to, and for no edited one (only a record that its journal leads to accepts a claim)", () => {
    const { record } = ended;
    expect(isReplayed(record, lines)).toBe(true);
    expect(isReplayed({ ...record, run: { ...record.run, iteration: 7 } }, lines)).toBe(false);
    expect(isReplayed(record, [...lines.slice(0, 2), "it is odd"])).toBe(false);
    expect(isReplayed(record, [])).toBe(false);
  });
});

describe("isAccepting", () => {
  it("is a completed loop, and a verified stop without a loop", () => {
    expect(isAccepting(begun.record)).toBe(false);
    expect(isAccepting(ended.record)).toBe(ended.record.run.outcome?.name === "completed");
    const outcome = { name: "completed" as const, reason: "r" };
    expect(isAccepting({ ...begun.record, run: { ...begun.record.run, outcome } })).toBe(true);
  });
});

describe("sessionRunId", () => {
  it("names session and begin by characters that are harmless in a path", () => {
    const run = (sessionId: string) => sessionRunId({ ...begun.record, loop: { ...loop, sessionId } });
    expect(run("../ses_A1")).toBe("___ses_A1-20261115120000000");
    expect(run("x".repeat(500)).length).toBeLessThan(130);
  });
});
