import { describe, expect, it } from "vitest";
import { durationText, formatDuration, missingUnit, parseDuration, unitRemedy } from "./duration.ts";

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

describe("durationText", () => {
  it.each([
    [0, "0ms"],
    [250, "250ms"],
    [90_000, "90s"],
    [5_400_000, "90m"],
    [7_200_000, "2h"],
    [172_800_000, "2d"],
    [1500.5, "1500.5ms"],
  ])("writes %d ms as %s, which reads the same", (ms, expected) => {
    expect(durationText(ms)).toBe(expected);
    expect(parseDuration(expected)).toBe(ms);
  });
});

describe("unitRemedy", () => {
  it.each<[string | number, string | null]>([
    [500, "<500s> for seconds, <500m> for minutes, <500ms> for milliseconds"],
    [" 60000 ", "<60000s> for seconds, <60000m> for minutes, <1m> for milliseconds"],
    ["90s", null],
    [0, null],
  ])("of %j offers %j (CB-15)", (value, expected) => expect(unitRemedy(value, (text) => `<${text}>`)).toBe(expected));
});

describe("missingUnit", () => {
  it.each<[string | number, string | null]>([
    [5000, "5s"],
    ["5000", "5s"],
    [" 90 ", "90ms"],
    [0, null],
    ["0", null],
    ["5s", null],
    ["soon", null],
    [-1, null],
  ])("of %j is %j", (value, expected) => expect(missingUnit(value)).toBe(expected));
});
