import { expect, it } from "vitest";
import { numberTests } from "./number-tests.ts";

it("equal tests are numbered by how they ended, whatever their order", () => {
  const test = { file: null, suite: "s", name: "a" };
  const run = [
    { ...test, status: "skipped" },
    { ...test, status: "failed" },
    { ...test, status: "passed" },
  ] as const;
  const outline = numberTests(run).map(({ id, status }) => `${status} ${id}`);
  expect(outline).toEqual(['passed [null,"s","a",0]', 'failed [null,"s","a",1]', 'skipped [null,"s","a",2]']);
  expect(numberTests(run.toReversed()).map(({ id, status }) => `${status} ${id}`)).toEqual(outline);
});
