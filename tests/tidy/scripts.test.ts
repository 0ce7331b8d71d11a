import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

it.each(["build", "test", "lint", "fmt", "clean", "all"])("has a script for the everyday target %s (S1-79)", (name) => {
  expect(scripts[name]).toMatch(/\S/);
});

it("does not run anything when the package is installed: npm would do so unasked (S1-79)", () => {
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});

/** Scripts that need nothing but Node and npm, with the reason. */
const standalone: Record<string, string> = {
  npm24: "only names the pinned Node's npm",
  clean: "removes files",
  "setup:nodes": "installs by itself",
};

it("installs what a script needs before it, whichever is called first in a fresh clone", () => {
  const needing = Object.keys(scripts).filter(
    (name) => !/^(?:pre|post)/.test(name) && !(name in standalone) && scripts[name]?.startsWith("npm run ") !== true,
  );
  expect(needing.length).toBeGreaterThan(10);
  expect(needing.filter((name) => !/^node scripts\/setup\.js\b/.test(scripts[`pre${name}`] ?? ""))).toEqual([]);
});
