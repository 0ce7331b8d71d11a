import { expect, it } from "vitest";
import { readDangerous, readHarmless } from "./corpus.ts";
import { figuresOf, measure } from "./measure.ts";

const found = measure(readDangerous("second"), readHarmless("second"));

it(`on a set that nobody looked at while writing rules, the guard has ${figuresOf("second", found)} (R-120, R-121)`, () => {
  expect(found.missed.length).toBeLessThanOrEqual(3);
  expect(found.falseAlarms).toEqual([]);
});
