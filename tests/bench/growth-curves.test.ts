import { describe, expect, it } from "vitest";
import type { Measure } from "../../bench/measure.ts";
import { formatCurves, type Point } from "../../bench/plot.ts";

const curve = { title: "CPU of `status`, by the number of runs", of: "runs", unit: "ms" };

function measure(...points: Point[]): Measure {
  return { name: "status", ours: "", plain: "", value: 1, unit: "×", target: null, points };
}

describe("growth curves of the bench", () => {
  it("have one bar per point, in the order of their size, the longest for the largest cost", () => {
    const text = formatCurves([measure({ curve, x: 8000, y: 160 }), measure({ curve, x: 10, y: 40.04 })]);
    expect(text.split("\n")).toEqual([
      curve.title,
      "",
      "```text",
      `  10 runs  ${"█".repeat(10)} 40 ms`,
      `8000 runs  ${"█".repeat(40)} 160 ms`,
      "```",
      "",
    ]);
  });

  it("stand one below the other, and there are none where nothing has points", () => {
    const other = { ...curve, title: "Another" };
    const text = formatCurves([measure({ curve, x: 1, y: 1 }), measure({ curve: other, x: 1, y: 2 })]);
    expect(text.match(/^\S.*$/gm)?.filter((line) => !line.startsWith("```"))).toEqual([
      curve.title,
      "1 runs  " + "█".repeat(40) + " 1 ms",
      "Another",
      "1 runs  " + "█".repeat(40) + " 2 ms",
    ]);
    expect(formatCurves([measure()])).toBe("");
  });
});
