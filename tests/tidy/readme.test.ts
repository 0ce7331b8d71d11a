import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

it("the README says in five lines what ralph is against a shell loop and `/goal`, before anything else", () => {
  const beginning = readme.slice(0, readme.indexOf("\n## "));
  const lines = beginning.split("\n").filter((line) => line.startsWith("- "));
  expect(lines).toHaveLength(5);
  expect(lines.join("\n")).toMatch(/shell loop[^]*`\/goal`[^]*ralph/);
});

it("the README shows the first success before the table of commands", () => {
  const places = ["npm run demo", "claim refused:", "completed: Claim accepted", "| command "].map((text) =>
    readme.indexOf(text),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
});
