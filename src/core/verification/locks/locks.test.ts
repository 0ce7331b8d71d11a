import { describe, expect, it } from "vitest";
import { compareLocks, runnerPackages } from "./compare-locks.ts";
import type { LockEntry } from "./lock-entry.ts";
import { readLock } from "./read-lock.ts";

/** Each entry as `name version integrity > dependencies`. */
function check(path: string, text: string, expected: string[]): void {
  const { entries, isReadable } = readLock(path, text);
  expect(isReadable).toBe(true);
  expect(entries.map(lineOf)).toEqual(expected);
}

function lineOf({ name, version, integrity, dependencies }: LockEntry): string {
  return `${name} ${version} ${integrity ?? "-"} > ${dependencies.join(",")}`;
}

describe("a lock file", () => {
  it("of pnpm is read in its old and its new form", () => {
    const text = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      a:
        specifier: ^1
        version: 1.0.0

packages:

  a@1.0.0:
    resolution: {integrity: sha512-a}
    engines: {node: '>=18'}

  '@s/b@2.0.0':
    resolution: {integrity: sha512-b}

snapshots:

  a@1.0.0(c@1.0.0):
    dependencies:
      '@s/b': 2.0.0

  '@s/b@2.0.0': {}
`;
    check("pnpm-lock.yaml", text, ["a 1.0.0 integrity: sha512-a > @s/b", "@s/b 2.0.0 integrity: sha512-b > "]);
    const old =
      "lockfileVersion: '6.0'\npackages:\n  /@s/b@2.0.0:\n    resolution: {integrity: x}\n    dependencies:\n      c: 1.0.0\n";
    check("pnpm-lock.yaml", old, ["@s/b 2.0.0 integrity: x > c"]);
  });

  it("of yarn is read in both forms", () => {
    const classic = `# yarn lockfile v1


"@s/b@^2.0.0", "@s/b@~2":
  version "2.0.1"
  resolved "x#1"
  integrity sha512-b==
  dependencies:
    c "^1.0.0"

c@^1.0.0:
  version "1.0.0"
`;
    check("yarn.lock", classic, ["@s/b 2.0.1 sha512-b== > c", "c 1.0.0 - > "]);
    const berry = `__metadata:
  version: 6

"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  dependencies:
    b: ^2
  checksum: abc
  linkType: hard
`;
    check("yarn.lock", berry, ["a 1.0.0 abc > b"]);
  });

  it("with tables of packages is read for cargo, poetry and uv", () => {
    const cargo =
      'version = 3\n\n[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "ff"\ndependencies = [\n "b",\n "c 2.0.0",\n]\n\n[[package]]\nname = "b"\nversion = "0.1.0"\n';
    check("Cargo.lock", cargo, ['a 1.0.0 "ff" > b,c', "b 0.1.0 - > "]);
    const poetry =
      '[[package]]\nname = "a"\nversion = "1"\nfiles = [\n    {file = "a.whl", hash = "sha256:1"},\n]\n\n[package.dependencies]\nb = ">=1"\n\n[metadata]\nlock-version = "2.0"\n';
    check("poetry.lock", poetry, ['a 1 [\n    {file = "a.whl", hash = "sha256:1"},\n] > b']);
    const uv =
      'version = 1\n[[package]]\nname = "a"\nversion = "1"\nsource = { registry = "x" }\ndependencies = [\n    { name = "b" },\n]\nwheels = [\n    { url = "u", hash = "sha256:2" },\n]\n';
    check("uv.lock", uv, ['a 1 [\n    { url = "u", hash = "sha256:2" },\n] { registry = "x" } > b']);
  });

  it("of go and ruby is read with its hashes", () => {
    check("go.sum", "example.com/a v1.0.0 h1:x=\nexample.com/a v1.0.0/go.mod h1:y=\n", [
      "example.com/a v1.0.0 h1:x= > ",
      "example.com/a v1.0.0/go.mod h1:y= > ",
    ]);
    const mod =
      "module m\nrequire (\n\texample.com/a v1.0.0 // indirect\n\texample.com/b v2.0.0\n)\nrequire example.com/c v1\nreplace example.com/b => ../b\n";
    check("go.mod", mod, ["example.com/a v1.0.0 - > ", "example.com/b v2.0.0 => ../b > ", "example.com/c v1 - > "]);
    const gems =
      "GEM\n  remote: x\n  specs:\n    rake (13.0.6)\n    rspec (3.12.0)\n      rspec-core (~> 3.12.0)\n\nDEPENDENCIES\n  rspec\n\nCHECKSUMS\n  rake (13.0.6) sha256=aa\n";
    check("Gemfile.lock", gems, ["rake 13.0.6 sha256=aa > ", "rspec 3.12.0 - > rspec-core"]);
  });

  it("that is broken or unknown has no entries, and says so", () => {
    for (const path of ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "Gemfile.lock", "poetry.lock", "x.lock"]) {
      expect([path, readLock(path, "{ broken")]).toEqual([path, { isReadable: false, entries: [] }]);
    }
  });
});

describe("the difference of lock files", () => {
  const entry = (name: string, version: string, integrity: string | null = null): LockEntry => ({
    name,
    version,
    integrity,
    dependencies: [],
  });

  it("names packages with another version or another content, new ones and those that are gone", () => {
    const base = [entry("a", "1", "x"), entry("b", "1"), entry("c", "1"), entry("d", "1")];
    const candidate = [entry("a", "1", "y"), entry("b", "2"), entry("d", "1"), entry("d", "2"), entry("e", "1")];
    const { changed, added, removed } = compareLocks(base, candidate);
    expect(changed.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(added.map(({ name }) => name)).toEqual(["d", "e"]);
    expect(removed.map(({ name }) => name)).toEqual(["c"]);
  });

  it("is empty when only the place of a package changed", () => {
    const [one, other] = [entry("a", "1"), entry("a", "2")];
    expect(compareLocks([one, other], [other, one, one])).toEqual({ changed: [], added: [], removed: [] });
  });

  it("concerns the runner for all that it loads", () => {
    const load = (name: string, ...dependencies: string[]): LockEntry => ({ ...entry(name, "1"), dependencies });
    const entries = [
      load("vitest", "tinypool"),
      load("tinypool", "deep"),
      load("deep"),
      load("app"),
      load("@jest/core"),
    ];
    expect([...runnerPackages(entries)].toSorted()).toEqual(["@jest/core", "deep", "tinypool", "vitest"]);
  });
});
