import { describe, expect, it } from "vitest";
import { releaseTests } from "./release-tests.ts";
import { isTestIn } from "./test-place.ts";

const test = (file: string | null, suite = "") => ({ file, suite, name: "a", status: "passed" as const });

describe("the file of a test", () => {
  it.each([
    ["a/b.test.js", "", "a/b.test.js", true],
    ["a/b.test.js", "", "b.test.js", false],
    [null, "x.BasicTest", "src/test/java/x/BasicTest.java", true],
    [null, "x.BasicTest$Inner", "src/test/java/x/BasicTest.java", true],
    [null, "x.OtherTest", "src/test/java/x/BasicTest.java", false],
    [null, "tests.test_basic.Basic", "tests/test_basic.py", true],
    [null, "tests.test_basic", "tests/test_basic.py", true],
    [null, "test_basic.Basic", "test_basic.py", true],
    [null, "tests.test_basic2.Basic", "tests/test_basic.py", false],
    [null, "example.com/p/sub", "sub/sub_test.go", true],
    [null, "example.com/p/other", "sub/sub_test.go", false],
    [null, "example.com/p", "p_test.go", true],
    [null, "github.com/o/p/deep/sub", "p_test.go", false],
    [null, "", "a.py", false],
    [null, "suite words", "words.py", false],
  ])("%s in suite %j is %s: %s", (file, suite, path, expected) =>
    expect(isTestIn(test(file, suite), [path])).toBe(expected),
  );

  it("takes its tests out of the inventory when the agent may change it", () => {
    const [one, other] = [test("a.js"), test("b.js")];
    expect(releaseTests([one, other], ["b.js", "c.js"])).toEqual({ kept: [one], released: [other] });
  });
});
