import { describe, expect, it } from "vitest";
import { chooseMutants, judgeMutants, type FileMutant } from "./choose-mutants.ts";

const text = "if (a < b) f();\nif (c < d) g();\nif (e < f) h();\n";
const lines = [1, 2, 3].map((line) => ({ line, text: "" }));
const both = ["a.js", "b.js"].flatMap((path) => lines.map((each) => ({ path, ...each })));
const texts = new Map([
  ["a.js", text],
  ["b.js", text],
  ["test/a.test.js", text],
]);

describe("mutants of a candidate", () => {
  it("come from every changed file in turn, up to their number", () => {
    const chosen = chooseMutants({ lines: both, texts, max: 4, seed: "1f" });
    expect(chosen.map(({ path }) => path)).toEqual(["a.js", "b.js", "a.js", "b.js"]);
    expect(new Set(chosen.map(({ path, line, kind }) => `${path}${line}${kind}`)).size).toBe(4);
  });

  it("stand only in changed lines of code, never in tests", () => {
    const changed = [
      { path: "a.js", line: 2, text: "" },
      { path: "test/a.test.js", line: 1, text: "" },
      { path: "README.md", line: 1, text: "" },
    ];
    const chosen = chooseMutants({ lines: changed, texts, max: 9, seed: "1f" });
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.every(({ path, line }) => path === "a.js" && line === 2)).toBe(true);
  });

  it("are the same for the same candidate", () => {
    const choose = (seed: string): FileMutant[] => chooseMutants({ lines: both, texts, max: 3, seed });
    expect(choose("ab")).toEqual(choose("ab"));
  });

  it("refuse where the checks noticed fewer than 60 % of them", () => {
    const one: FileMutant = { path: "a.js", line: 2, kind: "boundary", text: "" };
    const judge = (total: number, count: number): string | null =>
      judgeMutants({ total, unnoticed: Array.from({ length: count }, () => one) });
    expect(judge(10, 4)).toBeNull();
    expect(judge(0, 0)).toBeNull();
    expect(judge(10, 5)).toContain("only 5 of 10 small mistakes");
  });
});
