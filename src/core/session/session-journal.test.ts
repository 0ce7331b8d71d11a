import { describe, expect, it } from "vitest";
import { emptyReport } from "../agents/turn-report.ts";
import { beginSession, cancelSession, foldLine, linesOf, readLine, type SessionLine } from "./session-journal.ts";
import type { SessionRecord } from "./session-record.ts";
import { stepRecord } from "./step-session.ts";

const loop = {
  active: true,
  iteration: 1,
  maxIterations: 5,
  completionPromise: "OK",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it",
  sessionId: "s1",
};
const given = { directory: "/p", continuationDelay: 500, criterionCount: 1, at: 7 };
const moment = { at: 9, upMs: 2 };

/** A loop whose first turn ended without a claim and that was cancelled in the wait after it. */
function journal(): { texts: string[]; record: SessionRecord } {
  const begun = beginSession(loop, given);
  const effectId = begun.record.run.pending?.id ?? 0;
  const report = { ...emptyReport, exitCode: 0, result: "success" as const };
  const seen = { ...begun.record, judgedCount: 3, idle: { count: 3, isDoubted: false } };
  const ended = { begin: null, ...stepRecord(seen, [{ type: "turn-ended", effectId, report }], moment) };
  const cancelled = cancelSession(ended.record, { at: 11, upMs: 3 });
  const lines = [begun, ended, cancelled].reduce<SessionLine[]>(
    (all, change) => [...all, ...linesOf(change, all.length, 8)],
    [],
  );
  return { texts: lines.map((line) => JSON.stringify(line)), record: cancelled.record };
}

function fold(texts: readonly string[]): SessionRecord | string | null {
  return texts.reduce<SessionRecord | string | null>((record, text, index) => {
    if (typeof record === "string") return record;
    const line = readLine(text, index + 1);
    return typeof line === "string" ? line : foldLine(record, line);
  }, null);
}

describe("a session's journal", () => {
  it("leads to the record that is stored, and to what was seen of the host", () => {
    const { texts, record } = journal();
    expect(record).toMatchObject({ judgedCount: 3, run: { outcome: { name: "cancelled" } }, loop: { active: false } });
    expect(fold(texts)).toEqual(JSON.parse(JSON.stringify(record)));
  });

  it("begins with the run before its first observation", () => {
    const kinds = journal().texts.map((text) => {
      const line = readLine(text, (JSON.parse(text) as { seq: number }).seq);
      return typeof line === "string" || line.kind === "begin" ? "begin" : line.observation.type;
    });
    expect(kinds).toEqual(["begin", "run-started", "turn-started", "turn-ended", "asked"]);
  });

  it.each<[string, (texts: string[]) => string[], string]>([
    ["a line is missing", (texts) => texts.toSpliced(2, 1), "its number is 4, expected 3"],
    ["a line is no JSON", (texts) => texts.with(1, "{"), "it is not JSON"],
    [
      "the format is newer",
      (texts) => texts.map((text) => text.replace('"format":1', '"format":2')),
      "its format is 2",
    ],
    ["the run is newer", (texts) => texts.with(1, (texts[1] ?? "").replace(/"version":\d+/, '"version":99')), "newer"],
    ["a line was changed", (texts) => texts.with(3, (texts[3] ?? "").replace('"set-timer"', '"cut"')), "other orders"],
    ["a line lost what was seen", (texts) => texts.with(1, (texts[1] ?? "").replace('"mark"', '"x"')), "incomplete"],
    ["an observation is odd", (texts) => texts.with(3, (texts[3] ?? "").replace('"turn-ended"', '"odd"')), "engine"],
    ["its begin is missing", (texts) => texts.slice(1).map(renumbered), "no run began before it"],
  ])("does not fold when %s", (_, change, problem) => expect(fold(change(journal().texts))).toContain(problem));
});

function renumbered(text: string, index: number): string {
  return text.replace(/"seq":\d+/, `"seq":${index + 1}`);
}
