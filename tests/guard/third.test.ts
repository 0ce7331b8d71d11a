import { expect, it } from "vitest";
import { place, readDangerous, readHarmless, readTools } from "./corpus.ts";
import { figuresOf, measure, measureTools } from "./measure.ts";
import { leftFiles } from "./third/left.ts";

const there = { ...place, readScript: (path: string): string | null => leftFiles.get(path) ?? null };
const lines = measure(readDangerous("third"), readHarmless("third"), there);
const tools = measureTools(readTools("third", "tools-dangerous.txt"), readTools("third", "tools-harmless.txt"), there);

it(`on scripts by other ways, computed kills and build files, the guard has ${figuresOf("third", lines)} (R-121)`, () => {
  expect(lines.falseAlarms).toEqual([]);
  expect(lines.recall).toBeGreaterThanOrEqual(0.97);
});

it(`on tools with any field name, the guard has ${figuresOf("third", tools)} (R-121, R-122)`, () => {
  expect(tools.falseAlarms).toEqual([]);
  expect(tools.recall).toBeGreaterThanOrEqual(0.97);
});
