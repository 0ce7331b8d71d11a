import { describe, expect, it } from "vitest";
import { changedLines } from "../../../../tests/falsify/changed-lines.ts";
import { singleSpots } from "./single-spots.ts";

describe("assertions of somebody's own", () => {
  it.each<[string, string, string | null]>([
    ["a.test.js", 'same(initials("Ada"), "A");', 'same(initials("Ada"), "A-falsified");'],
    ["a.test.js", 'await tools.confirm(found, "A");', 'await tools.confirm(found, "A-falsified");'],
    ["a.test.ts", "demand(add(1, 2), 3)", "demand(add(1, 2), N)"],
    ["test_a.py", 'same(initials("Ada"), "A")', 'same(initials("Ada"), "A-falsified")'],
    ["a_test.go", 'func TestA() { same(t, f("Ada"), "A") }', 'func TestA() { same(t, f("Ada"), "A-falsified") }'],
    ["a.test.js", 'writeFileSync(join(folder, "a"), "text");', null],
    ["a.test.js", 'const found = read(path, "utf8");', null],
    ["a.test.js", 'console.log(found, "A");', null],
    ["a.test.js", 'same("a", "b");', null],
  ])("%s: %s", (path, line, expected) => {
    const found = changedLines(path, `${line}\n`);
    expect(found.map((each) => each.replace(/\d{4,}/, "N"))).toEqual(expected === null ? [] : [expected]);
  });

  it("are left alone in a test that has known ones", () => {
    const text = 'assert.equal(a, 3);\nprepare2(found, "A");\n';
    expect(changedLines("a.test.js", text)).toEqual([expect.stringContaining("assert.equal(a, ")]);
  });

  it("have no message among their values where one of them is known", () => {
    const text =
      'void check(int is, char *n) { if (!is) failed++; }\nint main() { check(strcmp(a, "A") == 0, "name"); }\n';
    const texts = singleSpots(new Map([["a.c", text]]), 10).map((spot) => spot.text);
    expect(texts.every((each) => each.includes('"name"'))).toBe(true);
  });

  it("of a script are its own functions, by their last word", () => {
    const text = `check() { [ "$2" = "$3" ]; }\ncheck "one" "$(slug A)" "a"\nprintf "%s" "$x" a\n`;
    const spots = singleSpots(new Map([["a.sh", text]]), 10);
    expect(spots.map(({ group }) => group)).toEqual([null, "check 3"]);
  });
});
