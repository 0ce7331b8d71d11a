import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** What people read before or while they use ralph. */
const texts = globSync(
  [
    "README.md",
    "docs/guide/*.md",
    "templates/**/*.*",
    "plugins/claude-code/skills/**/*.md",
    "{plugins/claude-code/,}.claude-plugin/*.json",
    "src/surfaces/cli/tree/*.ts",
  ],
  { cwd: root },
);

/** The flags by their names, and sentences that say there is none. */
const honest = /no sandbox|no\nsandbox|unsandboxed|flags: "--(?:no-)?sandbox"/;

describe("texts for people", () => {
  it("are looked at, more than twenty of them", () => expect(texts.length).toBeGreaterThan(20));

  it.each(texts)("promise no sandbox before there is one: %s (S4-08)", (path) => {
    const sentences = readFileSync(join(root, path), "utf8").split(/(?<=[.;?!])\s|\n\n|\n\s*[-|{]/);
    expect(sentences.filter((sentence) => /sandbox/i.test(sentence) && !honest.test(sentence))).toEqual([]);
  });
});
