import { describe, expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";

describe("expectations in Ruby", () => {
  it.each<[string, string | null]>([
    ["assert_equal 3, add(1, 2)", "assert_equal N, add(1, 2)"],
    ["assert_equal(3, add(1, 2), 'm')", "assert_equal(N, add(1, 2), 'm')"],
    ["assert_equal :ok, f(1)", "assert_equal :ok_falsified, f(1)"],
    ["assert_equal [1, 'a'], f(1)", "assert_equal [1, 'a-falsified'], f(1)"],
    ["assert_equal({ a: 1 }, f(1))", "assert_equal({ a: N }, f(1))"],
    ["assert_equal a, b", "assert_equal Object.new, b"],
    ["assert_equal <<~EOS, f(1)\n  x\nEOS", null],
    ["assert f(1)", "assert f(1) && false"],
    ["assert f(1) == 3", "assert f(1) == N"],
    ["refute f(1)", "refute f(1) || true"],
    ["assert_nil f(1)", "refute_nil f(1)"],
    ["assert_raises(A) { f(1) }", "assert_raises(NoMemoryError) { f(1) }"],
    ["assert_raises A do", "assert_raises NoMemoryError do"],
    ["assert_match(/a/, f(1))", "assert_match(/(?!)/, f(1))"],
    ["expect(f(1)).to eq(3)", "expect(f(1)).to eq(N)"],
    ["expect(f(1)).to eq 'a'", "expect(f(1)).to eq 'a-falsified'"],
    ["expect(f(1)).not_to eq(3)", "expect(f(1)).to eq(3)"],
    ["expect(f(1)).to be_truthy", "expect(f(1)).not_to be_truthy"],
    ["expect(f(1)).to be > 3", "expect(f(1)).not_to be > 3"],
    ["expect { f(1) }.to raise_error(A)", "expect { f(1) }.to raise_error(NoMemoryError)"],
    ["# assert_equal 3, f(1)", null],
  ])("%s", (line, expected) => {
    expect(changedLines("a_test.rb", line)).toEqual(expected === null ? [] : [expected]);
  });

  it("belong to tests with their names and suites", () => {
    const text = [
      'RSpec.describe "A" do',
      '  context "b" do',
      '    it "c" do',
      "      expect(f(1)).to eq(3)",
      "    end",
      "  end",
      "end",
      "class T < Minitest::Test",
      "  def test_d",
      "    assert_nil f(1)",
      "  end",
      "end",
    ].join("\n");
    expect(testsOf("a_test.rb", text)).toEqual(["A > b > c: 3-5, 1", "T > test_d: 9-11, 1"]);
  });
});
