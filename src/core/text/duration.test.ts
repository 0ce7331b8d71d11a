import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  it.each<[string | number, number | null]>([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["1d", 86_400_000],
    ["250ms", 250],
    ["250", 250],
    [250, 250],
    [" 5s ", 5000],
    ["", null],
    ["5", 5],
    ["5 s", null],
    ["-5s", null],
    ["5x", null],
    ["s", null],
    [-1, null],
    [Infinity, null],
    [Number.NaN, null],
  ])("reads %j as %j", (text, expected) => expect(parseDuration(text)).toBe(expected));
});

describe("formatDuration", () => {
  it.each([
    [0, "0.0s"],
    [400, "0.4s"],
    [1234, "1.2s"],
    [9949, "9.9s"],
    [9950, "10s"],
    [59_499, "59s"],
    [59_999, "1m0s"],
    [367_000, "6m7s"],
    [3_599_999, "1h0m"],
    [7_380_000, "2h3m"],
  ])("shows %i ms as %s", (ms, expected) => expect(formatDuration(ms)).toBe(expected));
});
