import { describe, expect, it } from "vitest";
import { contextAlert, estimateTokens, windowTokens } from "./context-alert.ts";

const window = 200_000;

/** The levels an agent hears while its context grows, in percent. */
function heard(percents: readonly number[]): string[] {
  let fired = 0;
  return percents.map((percent) => {
    const alert = contextAlert({ tokens: (window * percent) / 100, windowTokens: window, fired });
    fired = alert?.threshold ?? fired;
    return alert === null ? "" : (/(NOTICE|WARNING|CRITICAL)/.exec(alert.text)?.[1] ?? "?");
  });
}

describe("contextAlert", () => {
  it("fires each threshold once, at its level (S4-33)", () => {
    expect(heard([49, 50, 55, 60, 69, 70, 75, 80, 89, 90, 99])).toEqual([
      "",
      "NOTICE",
      "",
      "NOTICE",
      "",
      "WARNING",
      "",
      "WARNING",
      "",
      "CRITICAL",
      "",
    ]);
  });

  it("fires CRITICAL once after a jump and nothing lower after it (CW-4L, R-108)", () => {
    expect(heard([40, 95, 96, 85, 55])).toEqual(["", "CRITICAL", "", "", ""]);
  });

  it("says the prescribed words (S4-34, S4-35, S4-36)", () => {
    const say = (percent: number) =>
      contextAlert({ tokens: percent, windowTokens: 100, fired: 0 })?.text.replace(/^.*?: /, "");
    expect(say(50)).toBe(
      "Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.",
    );
    expect(say(70)).toBe(
      "Finish your current task and commit soon. Do not start additional tasks. If work remains, create new stories in tasks.json for the next iteration and capture any implementation details or insights in progress.txt so the next iteration has full context.",
    );
    expect(say(93)).toBe(
      "Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json for any remaining work, (2) write implementation details, insights, and handoff notes to progress.txt, (3) commit all changes, (4) stop. The next iteration will continue from where you left off.",
    );
  });

  it.each([
    [undefined, 200_000],
    ["1000000", 1_000_000],
    ["0", 200_000],
    ["-5", 200_000],
    ["many", 200_000],
    ["1e3", 200_000],
    ["", 200_000],
  ])("reads a window of %s as %s tokens (S4-32, CW-4L)", (given, expected) => {
    expect(windowTokens(given)).toBe(expected);
  });

  it.each([
    [undefined, 100],
    ["3", 133],
    ["6", 66],
    ["2", 100],
    ["7", 100],
    ["x", 100],
  ])("estimates 400 bytes with a divisor of %s as %s tokens (S4-32)", (given, expected) => {
    expect(estimateTokens(400, given)).toBe(expected);
  });
});
