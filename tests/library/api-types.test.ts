import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { rollUpTypes } from "../../scripts/roll-up-types.ts";

const root = join(import.meta.dirname, "..", "..");

/** A folder of declaration files that is gone after the test. */
function folderWith(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-types-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("docs/api.d.ts", () => {
  it("has the types of the public entry as they are now; else `npm run docs:api`", () => {
    const made = execFileSync(process.execPath, [join(root, "scripts", "docs-api.js"), "--print"], {
      encoding: "utf8",
    });
    expect(readFileSync(join(root, "docs", "api.d.ts"), "utf8")).toBe(made);
  });
});

describe("types in one file", () => {
  const check = (files: Record<string, string>): string[] =>
    rollUpTypes(folderWith(files), "index.d.ts").map(({ text }) => text.trim());

  it("keep the order of the entry, and what is only needed comes after it", () => {
    const index = 'export { two } from "./two.ts";\nexport type { One } from "./one.ts";\n';
    const one = "type Inner = string;\n/** The one. */\nexport type One = {\n    inner: Inner;\n};\nexport {};\n";
    const two = 'import type { One } from "./one.ts";\n/** Makes one. */\nexport declare function two(): One;\n';
    expect(check({ "index.d.ts": index, "one.d.ts": one, "two.d.ts": two })).toEqual([
      "/** Makes one. */\nexport declare function two(): One;",
      "/** The one. */\nexport type One = {\n    inner: Inner;\n};",
      "type Inner = string;",
    ]);
  });

  it("give a second declaration of the same name a number, and every use of it", () => {
    const index = 'export type { A } from "./a.ts";\nexport type { B } from "./b/b.ts";\n';
    const a = "type Place = 1;\nexport type A = Place;\n";
    const b = 'type Place = "Place";\nexport type B = [Place, import("../a.ts").A];\n';
    expect(check({ "index.d.ts": index, "a.d.ts": a, "b/b.d.ts": b })).toEqual([
      "export type A = Place;",
      "export type B = [Place_2, A];",
      "type Place = 1;",
      'type Place_2 = "Place";',
    ]);
  });

  it("carry the name that the entry gives, through other files and into comments of nobody", () => {
    const index = 'export { type Own as Public, Fault } from "./a.ts";\n';
    const a =
      'export type { Own } from "./b.ts";\nimport { Own } from "./b.ts";\nexport declare class Fault extends Error {\n    own: Own; // Own\n}\n';
    const b = "export type Own = { next: Own | null };\n";
    expect(check({ "index.d.ts": index, "a.d.ts": a, "b.d.ts": b })).toEqual([
      "export type Public = { next: Public | null };",
      "export declare class Fault extends Error {\n    own: Public; // Own\n}",
    ]);
  });

  it("are refused with a statement that the compiler does not emit for us", () => {
    expect(() => check({ "index.d.ts": 'export * from "./a.ts";\n' })).toThrow("a statement that nobody expected");
  });
});
