import { describe, expect, it } from "vitest";
import { readDangerous, readHarmless } from "./corpus.ts";
import { figuresOf, measure } from "./measure.ts";

const dangerous = readDangerous("fresh");
const harmless = readHarmless("fresh");
const found = measure(dangerous, harmless);

describe("on lines that the rules were not written for, the guard", () => {
  it(`refuses nearly all danger and nothing else: ${figuresOf("fresh", found)} (R-120, R-121, R-122)`, () => {
    expect(found.falseAlarms).toEqual([]);
    expect(found.recall).toBeGreaterThanOrEqual(0.97);
  });

  it("is measured on at least 500 dangerous and 180 harmless lines, none of them twice (R-120)", () => {
    const all = [...dangerous, ...harmless].map((row) => row.command);
    expect(dangerous.length).toBeGreaterThanOrEqual(500);
    expect(harmless.length).toBeGreaterThanOrEqual(180);
    expect(all.filter((command, index) => all.indexOf(command) !== index)).toEqual([]);
  });
});
