import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { findRunner } from "./find-runner.ts";
import { followCommand } from "./follow-command.ts";
import { readRecipe } from "./make-recipe.ts";

fc.configureGlobal({ seed: propertySeed });

describe("a command", () => {
  it("is followed to its programs, with what added arguments need before them", () => {
    const files = (path: string): string | null =>
      path === "package.json" ? '{"scripts":{"test":"tsc && npm run unit","unit":"nice -n 5 vitest run"}}' : null;
    expect(followCommand("npm test", files)).toEqual([
      { words: ["tsc"], variables: [], toArguments: null, isDirect: false },
      { words: ["vitest", "run"], variables: [], toArguments: ["--", "--"], isDirect: false },
    ]);
    expect(followCommand("A=1 jest", files)).toEqual([
      { words: ["jest"], variables: ["A"], toArguments: [], isDirect: true },
    ]);
  });

  it("of any kind gives programs or nothing, and never throws", () => {
    const word = fc.constantFrom(
      "npm",
      "run",
      "test",
      "make",
      "&&",
      "|",
      ";",
      "--",
      "'",
      '"',
      "$(",
      ")",
      "env",
      "A=b",
      "node",
      "--test",
      "\n",
      "pnpm",
      "npx",
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, text, (command, script, makefile) => {
        const manifest = JSON.stringify({ scripts: { test: script, run: command } });
        const files = (path: string): string | null => (path === "package.json" ? manifest : `test:\n\t${makefile}\n`);
        const found = followCommand(command, files) ?? [];
        expect(found.every((each) => findRunner(each) === null || each.words.length > 0)).toBe(true);
      }),
    );
  });
});

describe("a recipe", () => {
  const makefile = [
    ".PHONY: all test",
    "PY ?= python3",
    "BAD = $(shell date)",
    "all: test # the default",
    "test: unit",
    "\t@echo done; \\",
    "\techo more",
    "unit other:",
    "\t-${PY} -m pytest $$HOME",
    "bad:",
    "\techo $(BAD)",
    "loop: loop",
    "\ttrue",
  ].join("\n");

  it.each([
    ["unit", "python3 -m pytest $HOME"],
    ["other", "python3 -m pytest $HOME"],
    ["test", "python3 -m pytest $HOME && echo done;  \techo more"],
    [null, "python3 -m pytest $HOME && echo done;  \techo more"],
    ["bad", null],
    ["missing", null],
    ["loop", "true && true && true && true"],
  ])("of %s is %j", (target, expected) => expect(readRecipe(makefile, target)).toBe(expected));
});
