import { describe, expect, it } from "vitest";
import { expandBraces, matchPaths } from "./path-glob.ts";

function check(glob: string, path: string, isMatch: boolean): void {
  expect([glob, path, matchPaths([glob])(path)]).toEqual([glob, path, isMatch]);
}

describe("a glob of paths", () => {
  it("without a slash is a name anywhere in the tree", () => {
    check("conftest.py", "conftest.py", true);
    check("conftest.py", "a/b/conftest.py", true);
    check("conftest.py", "a/conftest.pyc", false);
    check("*.test.*", "src/a.test.ts", true);
    check("*.test.*", "src/a.tests.ts", false);
  });

  it("with a slash counts from the top", () => {
    check("ci/run", "ci/run", true);
    check("ci/run", "sub/ci/run", false);
    check("/Makefile", "Makefile", true);
    check("/Makefile", "sub/Makefile", false);
    check("**/ci/run", "sub/ci/run", true);
    check("**/ci/run", "ci/run", true);
  });

  it("that names a folder stands for everything below it", () => {
    check("tests", "tests/a/b.ts", true);
    check("tests/", "sub/tests/a", true);
    check("**/tests/**", "a/tests/b/c", true);
    check("**/tests/**", "a/latests/b", false);
    check("a/**/z", "a/z", true);
    check("a/**/z", "a/b/c/z", true);
    check("a/**/z", "b/a/z", false);
  });

  it("takes either side of braces, and many of them as they stand", () => {
    expect(expandBraces("{a,b}/*.{x,y}")).toEqual(["a/*.x", "a/*.y", "b/*.x", "b/*.y"]);
    const many = "{a,b}".repeat(20);
    expect(expandBraces(many)).toEqual([many]);
    check("*.{test,spec}.{ts,js}", "a.spec.js", true);
    check("a{b}c", "a{b}c", true);
  });

  it("takes names with spaces, letters of other scripts and brackets literally", () => {
    check("tests/**", "tests/größe [1].txt", true);
    check("a [1].txt", "a [1].txt", true);
    check("a?.txt", "aé.txt", true);
  });

  it("ends in bounded steps on a path that an agent chose", () => {
    const glob = `${"**/a*a/".repeat(30)}end`;
    check(glob, `${"aaaaaaaa/".repeat(200)}no`, false);
  });
});
