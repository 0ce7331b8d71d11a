import { describe, expect, it } from "vitest";
import { singleSpots } from "./single-spots.ts";

/** The line of each single change, with a word for what a mark becomes, and the assertion turned around. */
function changesOf(path: string, text: string): [falsified: string, inverted: string | null][] {
  const lineOf = (changed: string): string => {
    const before = text.split("\n");
    const line = changed.split("\n").find((each, index) => each !== before[index]) ?? "";
    return line.trim();
  };
  return singleSpots(new Map([[path, text]]), 10).map((spot) => [
    lineOf(spot.text),
    spot.inverted === null ? null : lineOf(spot.inverted),
  ]);
}

describe("the assertion around a changed value", () => {
  it.each([
    ["a.c", 'check(strcmp(out, "AL") == 0, "x");', 'check(strcmp(out, "AL") != 0, "x");'],
    ["a.c", "assert(add(1, 2) == 3);", "assert(add(1, 2) != 3);"],
    ["a.cc", 'EXPECT_STREQ("AL", out);', 'EXPECT_STRNE("AL", out);'],
    ["a.test.js", "assert.equal(add(1, 2), 3);", "assert.notEqual(add(1, 2), 3);"],
    ["a.test.js", "assert.deepEqual(split(), [1, 2]);", "assert.notDeepEqual(split(), [1, 2]);"],
    ["a.test.js", "expect(add(1, 2)).toBe(3);", "expect(add(1, 2)).not.toBe(3);"],
    ["test_a.py", "assert add(1, 2) == 3", "assert add(1, 2) != 3"],
    ["test_a.py", "self.assertEqual(add(1, 2), 3)", "self.assertNotEqual(add(1, 2), 3)"],
    ["a.rs", "assert_eq!(add(1, 2), 3);", "assert_ne!(add(1, 2), 3);"],
    ["a_test.go", "if add(1, 2) != 3 { t.Errorf() }", "if add(1, 2) == 3 { t.Errorf() }"],
    ["ATest.java", "assertEquals(3, add(1, 2));", "assertNotEquals(3, add(1, 2));"],
    ["a_test.rb", "assert_equal 3, add(1, 2)", null],
    ["a.sh", '[ "$(add 1 2)" = "3" ] || exit 1', '[ "$(add 1 2)" != "3" ] || exit 1'],
    ["a.sh", "diff expected out || exit 1", null],
  ])("is turned around in %s: %s", (path, line, inverted) => {
    const helper = "void check(int is_right, char *n) { if (!is_right) failed++; }";
    const found = changesOf(path, `${path === "a.c" ? helper : ""}\n${line}\n`).at(-1);
    expect(found?.[0]).toMatch(/./);
    expect(found?.[0]).not.toBe(line);
    expect(found?.[1]).toBe(inverted);
  });
});
