import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import type { Settling } from "../run/policy.ts";
import { newRun, type RunState } from "../run/state.ts";
import { settleRestMs, unsettle } from "./settle.ts";

const settling: Settling = { waitMs: { error: 5000, background: 3000, silence: 60_000 }, longestMs: 100_000 };
const begun: RunState = newRun({ ...plain, kind: "session", settling });

describe("settleRestMs", () => {
  function check(given: RunState, at: number, expected: number): void {
    expect(settleRestMs(given, at)).toBe(expected);
  }

  it("is nothing while the host is at peace, and where a turn is a process", () => {
    check(begun, 1000, 0);
    check(unsettle(newRun(plain), "error", 1000), 1000, 0);
  });

  it("runs from the news on, anew with each (CW-0E, R-35)", () => {
    const once = unsettle(begun, "error", 1000);
    check(once, 1000, 5000);
    check(once, 5999, 1);
    check(once, 6000, 0);
    check(unsettle(once, "error", 4000), 6000, 3000);
  });

  it("is not shortened by a shorter reason", () =>
    check(unsettle(unsettle(begun, "error", 0), "background", 0), 0, 5000));

  it("has an end, however often the news comes", () => {
    const first = unsettle(begun, "background", 0);
    check(unsettle(first, "background", 99_999), 99_999, 3000);
    check(unsettle(first, "background", 99_999), 100_000, 0);
  });

  it("is over when the clock was set back", () => check(unsettle(begun, "error", 10_000), 9999, 0));
});
