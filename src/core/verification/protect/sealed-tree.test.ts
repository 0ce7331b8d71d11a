import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { createProtections, type ProtectRules } from "./protection.ts";
import { type SealedTree, sealedTree, type TreeFile } from "./sealed-tree.ts";

const none: ProtectRules = { protect: [], allow: [], writable: [], named: [] };

/** `path=object`, with `@` before the object of a link. */
function files(text: string): Map<string, TreeFile> {
  const words = text.split(" ").filter((word) => word !== "");
  return new Map(
    words.map((word) => {
      const [path = "", object = ""] = word.split("=");
      const isLink = object.startsWith("@");
      return [path, { mode: isLink ? "120000" : "100644", object: isLink ? object.slice(1) : object }];
    }),
  );
}

type Given = { base: string; candidate: string; variant?: "A" | "B"; rules?: Partial<ProtectRules> };

function seal({ base, candidate, variant = "A", rules = {} }: Given): SealedTree {
  const protections = createProtections({ ...none, ...rules });
  return sealedTree({ base: files(base), candidate: files(candidate), protections, variant });
}

function check(given: Given, expected: string, leftOut = ""): SealedTree {
  const tree = seal(given);
  const found = tree.files.map(({ path, object, from }) => `${path}=${object}:${from}`).toSorted();
  expect(found).toEqual(expected.split(" ").toSorted());
  expect(tree.leftOut.map(({ path, reason }) => `${path}:${reason}`).join(" ")).toBe(leftOut);
  return tree;
}

describe("a sealed tree", () => {
  it("takes the code of the candidate and the tests of the base", () => {
    const tree = check(
      { base: "src/a.ts=1 tests/a.test.ts=1 tests/b.test.ts=1", candidate: "src/a.ts=2 tests/a.test.ts=2 new.ts=1" },
      "src/a.ts=2:candidate new.ts=1:candidate tests/a.test.ts=1:base tests/b.test.ts=1:base",
    );
    expect(tree.changedTests).toEqual(["tests/a.test.ts", "tests/b.test.ts"]);
    expect(tree.restored.map(({ path, change }) => `${path} ${change}`)).toEqual([
      "tests/a.test.ts changed",
      "tests/b.test.ts removed",
    ]);
  });

  it("keeps new tests beside those of the base", () => {
    check({ base: "tests/a=1", candidate: "tests/a=1 tests/b=1" }, "tests/a=1:base tests/b=1:candidate");
  });

  it("leaves out new files that decide how tests run, that checks name or that agents obey", () => {
    const rules = { named: ["ci/x.sh"] };
    const candidate = "a=1 .npmrc=1 tests/conftest.py=1 unittest.py=1 ci/x.sh=1 CLAUDE.md=1";
    const leftOut = ".npmrc:new tests/conftest.py:new unittest.py:new ci/x.sh:new CLAUDE.md:new";
    check({ base: "a=1", candidate, rules }, "a=1:candidate", leftOut);
  });

  it("takes a module of the base that is named like one of the standard library as code", () => {
    check({ base: "json.py=1", candidate: "json.py=2" }, "json.py=2:candidate");
  });

  it("lets the base win over a link or a file in the place of a folder", () => {
    check({ base: "tests/a=1 x=1", candidate: "tests=@9 x=1" }, "tests/a=1:base x=1:candidate", "tests:in-the-way");
    check({ base: "test_a.py=1", candidate: "test_a.py/x=1" }, "test_a.py=1:base", "test_a.py/x:in-the-way");
    check({ base: "tests/a=1", candidate: "tests/a=@9" }, "tests/a=1:base");
  });

  it("takes the candidate's own tests and the base's configuration in variant B", () => {
    const given: Given = {
      base: "tests/a=1 tests/b=1 vitest.config.ts=1",
      candidate: "tests/a=2 tests/c=1 vitest.config.ts=2 .npmrc=1",
      variant: "B",
    };
    const expected = "tests/a=2:candidate tests/c=1:candidate vitest.config.ts=1:base";
    expect(check(given, expected, ".npmrc:new").changedTests).toEqual(["tests/a", "tests/b"]);
  });

  it("takes what the settings allow from the candidate", () => {
    const rules = { allow: ["tests/**"] };
    const tree = check({ base: "tests/a=1 tests/b=1", candidate: "tests/a=2", rules }, "tests/a=2:candidate");
    expect(tree.changedTests).toEqual([]);
  });

  it("merges manifests that changed, and new ones in a folder of the base", () => {
    const base = "package.json=1 src/a=1 lib/pyproject.toml=1";
    const candidate = "package.json=2 src/a=1 lib/pyproject.toml=1 src/package.json=1 packages/new/package.json=1";
    const expected =
      "package.json=2:merged src/a=1:candidate lib/pyproject.toml=1:candidate src/package.json=1:merged packages/new/package.json=1:candidate";
    check({ base, candidate }, expected);
  });

  it("lets a new package bring its compiler settings along", () => {
    const candidate = "src/a=1 packages/new/tsconfig.json=1 src/tsconfig.json=1";
    const expected = "src/a=1:candidate packages/new/tsconfig.json=1:candidate";
    check({ base: "src/a=1", candidate }, expected, "src/tsconfig.json:new");
  });

  it("takes a candidate without changes as it is", () => {
    const same = "tests/a=1 package.json=1 src/b=1 .npmrc=1";
    const tree = seal({ base: same, candidate: same });
    expect(tree.files).toHaveLength(4);
    expect([tree.leftOut, tree.restored, tree.changedTests]).toEqual([[], [], []]);
  });
});

describe("any sealed tree", () => {
  const name = fc.constantFrom(
    "a",
    "tests",
    "test_a.py",
    ".npmrc",
    "package.json",
    "json.py",
    "b.test.js",
    "CLAUDE.md",
  );
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  const tree = fc.array(fc.tuple(path, fc.constantFrom("1", "2")), { maxLength: 12 }).map((pairs) => {
    const found = new Map<string, TreeFile>();
    for (const [each, object] of pairs) {
      const isBlocked = [...found.keys()].some((other) => each.startsWith(`${other}/`) || other.startsWith(`${each}/`));
      if (!isBlocked) found.set(each, { mode: "100644", object });
    }
    return found;
  });
  const protections = createProtections(none);

  it("holds each protected file of the base, every other file once or says why not, and no file above another", () => {
    fc.assert(
      fc.property(tree, tree, (base, candidate) => {
        const sealed = sealedTree({ base, candidate, protections, variant: "A" });
        const byPath = new Map(sealed.files.map((file) => [file.path, file]));
        expect(byPath.size).toBe(sealed.files.length);
        const kept = [...base].filter(([each]) => !["shadow", null].includes(protections.protectionOf(each)));
        for (const [each, file] of kept) expect(byPath.get(each)?.object).toBe(file.object);
        const leftOut = new Set(sealed.leftOut.map((each) => each.path));
        for (const each of candidate.keys()) expect(byPath.has(each)).toBe(!leftOut.has(each));
        for (const each of byPath.keys())
          for (const other of byPath.keys()) expect(other.startsWith(`${each}/`)).toBe(false);
      }),
      { seed: propertySeed },
    );
  });
});
