import { describe, expect, it } from "vitest";
import { ageText, localTime, untilText } from "./local-time.ts";

/** In local time, whatever that is where the test runs. */
const at = (day: number, hour: number, minute = 0, second = 0): number =>
  new Date(2026, 10, day, hour, minute, second).getTime();
const iso = (ms: number): string => new Date(ms).toISOString();

describe("a moment for people", () => {
  it("is the local time, with the day when it is another one", () => {
    expect(localTime(iso(at(17, 14, 30)), at(17, 9))).toBe("14:30");
    expect(localTime(iso(at(18, 0, 5)), at(17, 23))).toBe("Wed 18 Nov, 00:05");
  });

  it("says how far it is away while it is to come", () => {
    expect(untilText(iso(at(17, 14, 30)), at(17, 14, 18))).toBe("14:30 (in 12m0s)");
    expect(untilText(iso(at(17, 14, 30)), at(17, 14, 31))).toBe("14:30");
  });
});

describe("an age", () => {
  it.each([
    [at(17, 9, 0, 12), "12s"],
    [at(17, 9, 59), "59m"],
    [at(18, 10), "25h"],
    [at(19, 10), "2d"],
    [at(17, 8), "0s"],
  ])("at %s is %s", (now, expected) => expect(ageText(iso(at(17, 9)), now)).toBe(expected));
});
