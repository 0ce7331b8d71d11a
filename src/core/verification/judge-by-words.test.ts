import { expect, it } from "vitest";
import { judgeByWords } from "./judge-by-words.ts";

it("finds every criterion in the output or names the first that is missing (S2-25)", () => {
  expect(judgeByWords(["Login works", "tests pass"], "login WORKS, and Tests Pass.")).toEqual({
    isPassed: true,
    reason: "All criteria appear met",
  });
  expect(judgeByWords(["Login works", "tests pass"], "Login works.")).toEqual({
    isPassed: false,
    reason: "Criterion not evident: tests pass",
  });
  expect(judgeByWords([], "anything").isPassed).toBe(false);
});
