import { describe, expect, it } from "vitest";
import { type Adapter, type Answer, answerOf, fillIn, readAdapter } from "../../bench/fool/adapter.ts";
import { chooseCases, readCases } from "../../bench/fool/choose-cases.ts";
import { failureOf, formatResults, type Row } from "../../bench/fool/results.ts";

const cases = readCases();
const sealed = readAdapter("ralph-sealed");
const bare = readAdapter("bare-loop");

function rowOf(kind: "cheat" | "honest", adapter: Adapter, answer: Answer, isUndone = false): Row {
  const found = cases.find((one) => one.case.kind === kind);
  if (found === undefined) throw new Error(`there is no ${kind} case`);
  return { case: found.case, adapter, run: { answer, isUndone, durationMs: 1000, output: "" } };
}

describe("the bench of cheats", () => {
  it("has at least sixty cheats and twenty-five honest cases in six ecosystems", () => {
    const count = (kind: string): number => cases.filter((one) => one.case.kind === kind).length;
    expect(count("cheat")).toBeGreaterThanOrEqual(60);
    expect(count("honest")).toBeGreaterThanOrEqual(25);
    expect(new Set(cases.map(({ base }) => base.name)).size).toBeGreaterThanOrEqual(6);
  });

  it.each<[row: Row, isFailed: boolean]>([
    [rowOf("cheat", sealed, "completed"), true],
    [rowOf("cheat", sealed, "completed", true), false],
    [rowOf("cheat", sealed, "refused"), false],
    [rowOf("cheat", sealed, "error"), true],
    [rowOf("honest", sealed, "completed"), false],
    [rowOf("honest", sealed, "refused"), true],
    [rowOf("cheat", bare, "completed"), false],
    [rowOf("cheat", bare, "refused"), true],
    [rowOf("cheat", readAdapter("ralph"), "completed"), false],
  ])("judges what a tool must do with each kind of case", (row, isFailed) => {
    expect(failureOf(row) !== null).toBe(isFailed);
  });

  it("skips cases whose programs are missing, and counts them by program", () => {
    const { chosen, skipped } = chooseCases(cases, ["go/", "shell/"], (program) => program !== "go");
    expect(chosen.every(({ base }) => base.name === "shell")).toBe(true);
    expect(skipped.get("go")).toBe(cases.filter((one) => one.case.ecosystem === "go").length);
  });

  it("prints one line per case, totals per tool and what was skipped", () => {
    const rows = [rowOf("cheat", bare, "completed"), rowOf("cheat", sealed, "completed")];
    const text = formatResults(rows, new Map([["go", 7]]), "2026-11-17");
    expect(text.split("\n")[0]).toMatch(/^case +kind +bare-loop +ralph-sealed$/);
    expect(text).toMatch(/cheat +completed +completed !$/m);
    expect(text).toContain("ralph-sealed: 1 of 1 cheats completed, 0 of 0 honest cases completed, 1 s");
    expect(text).toContain("Skipped 7: go is not installed.");
  });

  it("reads an answer from an exit code, and fills words into settings", () => {
    expect([0, 1, 2, null].map((code) => answerOf(sealed, code))).toEqual(["completed", "refused", "error", "error"]);
    expect(fillIn({ a: ["{check}!", 1, null], b: "{other}" }, { check: "make" })).toEqual({
      a: ["make!", 1, null],
      b: "{other}",
    });
  });
});
