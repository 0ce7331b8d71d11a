import { describe, expect, it } from "vitest";
import { addedLines } from "./diff-lines.ts";

function check(diff: string[], expected: string[]): void {
  expect(addedLines(diff.join("\n")).map(({ path, line, text }) => `${path}:${line}:${text}`)).toEqual(expected);
}

describe("the added lines of a diff", () => {
  it("have their path and their line in the new file", () => {
    check(
      [
        "diff --git a/a.ts b/a.ts",
        "index 1..2 100644",
        "--- a/a.ts",
        "+++ b/a.ts",
        "@@ -1,3 +1,4 @@ function x",
        " one",
        "-two",
        "+2",
        "+3\r",
        " four",
        "@@ -9 +10 @@",
        "-x",
        "+y",
      ],
      ["a.ts:2:2", "a.ts:3:3", "a.ts:10:y"],
    );
  });

  it("are content also when they look like a header", () => {
    check(
      [
        "+++ b/a.ts",
        "@@ -1,1 +1,3 @@",
        "--- a/other.ts",
        "+++ b/other.ts",
        "+@@ -1 +1 @@",
        "+x",
        "+++ b/c.ts",
        "@@ -0,0 +1 @@",
        "+z",
      ],
      ["a.ts:1:++ b/other.ts", "a.ts:2:@@ -1 +1 @@", "a.ts:3:x", "c.ts:1:z"],
    );
  });

  it.each([
    ['+++ "b/a\\tb\\303\\251.ts"', "a\tbé.ts"],
    ['+++ "b/a\\"b.ts"', 'a"b.ts'],
    ['+++ "b/100%\\n.ts"', "100%\n.ts"],
    ['+++ "b/\\377.ts"', "b/\\377.ts".slice(2)],
    ["+++ b/a b.ts\t", "a b.ts"],
    ["+++ b/b/ b/c.ts", "b/ b/c.ts"],
  ])("stand in the file that %j names", (header, path) => {
    check([header, "@@ -0,0 +1 @@", "+x"], [`${path}:1:x`]);
  });

  it("are none in a removed file, in a rename and in a text that is no diff", () => {
    check(["--- a/a.ts", "+++ /dev/null", "@@ -1 +0,0 @@", "-x"], []);
    check(["diff --git a/a b/c", "rename from a", "rename to c"], []);
    check(["+x", "@@", "+++"], []);
  });

  it("count on after the note about a missing line end", () => {
    check(["+++ b/a", "@@ -1 +1,2 @@", "-x", "\\ No newline at end of file", "+y", "+z"], ["a:1:y", "a:2:z"]);
  });
});
