import { describe, expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";

describe("expectations in shell tests", () => {
  it.each<[string, string | null]>([
    ['[ "$(add 1 2)" = "3" ] || exit 1', '[ "$(add 1 2)" = "3-falsified" ] || exit 1'],
    ["[ $(add 1 2) -eq 3 ]", "[ $(add 1 2) -eq 1006 ]"],
    ['test "$a" = b || exit 1', 'test "$a" = b-falsified || exit 1'],
    ['[[ "$output" == *"done"* ]]', '[[ "$output" == *"done-falsified"* ]]'],
    ['if [ "$a" != "3" ]; then echo bad; exit 1; fi', 'if [ "$a" != "3-falsified" ]; then echo bad; exit 1; fi'],
    ['if [ "$a" = "3" ]; then echo ok; else exit 1; fi', 'if [ "$a" = "3-falsified" ]; then echo ok; else exit 1; fi'],
    ['if [ "$a" = "" ]; then exit 1; fi', 'if [ "$a" != "" ]; then exit 1; fi'],
    ['if ! [ "$a" = "3" ]; then exit 1; fi', 'if ! [ "$a" = "3-falsified" ]; then exit 1; fi'],
    ['[ "$status" -ne 0 ]', '[ "$status" -eq 0 ]'],
    ['[ -n "$a" ]', '[ -z "$a" ]'],
    ['[ "$a" = "$b" ]', '[ "$a" = "falsified" ]'],
    ["diff expected.txt out.txt", "diff --falsified expected.txt out.txt"],
    ["run | grep -q 'a b'", "run | grep -q 'a b-falsified'"],
    ["grep a file > out", null],
    ['assert_output "x"', 'assert_output "x-falsified"'],
    ["assert_success", "assert_failure"],
    ["# [ $a = 3 ]", null],
    ["cat > f <<'EOF'\n[ $a = 3 ]\nEOF", null],
    ["echo '[ $a = 3 ]; [ 1 = 2 ]'", null],
  ])("%s", (line, expected) => {
    expect(changedLines("a.sh", line)).toEqual(expected === null ? [] : [expected]);
  });

  it("belong to tests of bats and to functions", () => {
    const text = ['@test "adds" {', "  run add 1 2", '  [ "$output" = 3 ]', "}", "test_b() {", "  true", "}"].join(
      "\n",
    );
    expect(testsOf("a.bats", text)).toEqual(["adds: 1-4, 1", "test_b: 5-7, 0"]);
  });
});
