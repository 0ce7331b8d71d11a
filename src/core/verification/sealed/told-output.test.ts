import { describe, expect, it } from "vitest";
import { toldOutput } from "./told-output.ts";

const none = { leftOut: [], restored: [] };

describe("what an agent is told of a red sealed check", () => {
  it("is the reason with the names of tests, and the output", () => {
    expect(toldOutput({ reason: "1 test failed: adds.", tree: none, output: "not ok 1" })).toBe(
      "1 test failed: adds.\nnot ok 1",
    );
  });

  it("names its files that were not used, the first of many", () => {
    const leftOut = [{ path: ".npmrc", protection: "runner" as const, reason: "new" as const }];
    const restored = [{ path: "a.test.js", protection: "test" as const, change: "changed" as const }];
    expect(toldOutput({ reason: "red", tree: { leftOut, restored }, output: "" })).toContain(
      "Not used in verification: .npmrc (new), a.test.js (changed).",
    );
    const many = Array.from({ length: 23 }, () => restored).flat();
    expect(toldOutput({ reason: "red", tree: { leftOut: [], restored: many }, output: "" })).toContain(" and 3 more.");
  });
});
