import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findForeignExamples, findInstallsByName } from "./package-name.ts";
import { readRepository } from "./source-file.ts";

const files = readRepository(resolve(join(import.meta.dirname, "../..")));
const manifest = { path: "package.json", text: `{ "name": "ralph" }` };

describe("the name of the package", () => {
  it("is not published until an owner chooses one: the package is private, and its license stands beside it", () => {
    const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";
    expect(JSON.parse(textOf("package.json"))).toMatchObject({ private: true, license: "MIT" });
    expect(textOf("LICENSE")).toMatch(/^MIT License\n/);
  });

  it("stands in no text that tells people to install it by name: in a registry it is another program", () => {
    expect(findInstallsByName(files)).toEqual([]);
  });

  it("is the one that examples of the library import", () => {
    expect(findForeignExamples(files)).toEqual([]);
  });

  it.each([
    "npm install --global ralph",
    "npm i -g ralph@0.1.0, then",
    "run `npm install ralph`.",
    "npx ralph demo",
    "npx -y ralph@latest",
    "pnpm add ralph",
    '"$(npm root --global)/ralph"',
  ])("is found in %j", (text) => {
    expect(findInstallsByName([manifest, { path: "docs/a.md", text }])).toHaveLength(1);
  });

  it.each([
    "npm install --global ./ralph-0.1.0.tgz",
    "npm install /home/user/ralph",
    "npm install; ralph demo",
    "npm run demo",
    "npm install && ralph",
  ])("is not found in %j", (text) => {
    expect(findInstallsByName([manifest, { path: "docs/a.md", text }])).toEqual([]);
  });

  it("in an example must be the one of the manifest", () => {
    const text = 'import { runLoop } from "other";\nimport { join } from "node:path";\nimport { a } from "./a.ts";';
    expect(findForeignExamples([manifest, { path: "docs/a.md", text }])).toEqual([
      "docs/a.md imports other, the package is ralph",
    ]);
  });
});
