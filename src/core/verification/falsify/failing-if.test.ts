import { describe, expect, it } from "vitest";
import { changedLines } from "../../../../tests/falsify/changed-lines.ts";

describe("a branch that fails", () => {
  it.each<[string, string | null]>([
    ["if (add(1, 2) !== 3) throw new Error();", "if (add(1, 2) !== N) throw new Error();"],
    [
      "if (add(1, 2) !== 3) { console.error(1); process.exit(1); }",
      "if (add(1, 2) !== N) { console.error(1); process.exit(1); }",
    ],
    ['if (name() !== "a") process.exitCode = 1;', 'if (name() !== "a-falsified") process.exitCode = 1;'],
    ["if (!isRight(x)) failures += 1;", "if (!isRight(x) || true) failures += 1;"],
    ["if (add(1, 2) === 3) process.exit(0);", null],
    ["if (isReady) { start(); }", null],
  ])("is taken: %s", (line, expected) => {
    const found = changedLines("a.test.js", `${line}\n`).map((each) => each.replace(/\d{4,}/, "N"));
    expect(found).toEqual(expected === null ? [] : [expected]);
  });
});
