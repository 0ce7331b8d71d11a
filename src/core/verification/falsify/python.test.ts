import { describe, expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";

function check(line: string, expected: string | null): void {
  expect(changedLines("test_a.py", line)).toEqual(expected === null ? [] : [expected]);
}

describe("expectations in Python", () => {
  it.each<[string, string | null]>([
    ["assert add(1, 2) == 3", "assert add(1, 2) == N"],
    ["assert 3 == add(1, 2), 'm 5'", "assert N == add(1, 2), 'm 5'"],
    ["assert f(1) == {'a': [1, 2], 'b': None}", "assert f(1) == {'a': [1, 2], 'b': \"falsified\"}"],
    ["assert f(1) == []", 'assert f(1) == ["falsified",]'],
    ["assert f(1) == {}", 'assert f(1) == {"falsified": 1,}'],
    ["assert f(1) == ()", 'assert f(1) == ("falsified",)'],
    ["assert f(1) == b'x'", "assert f(1) == b'x-falsified'"],
    ["assert f(1) == pytest.approx(0.3, rel=1e-6)", "assert f(1) == pytest.approx(N, rel=1e-6)"],
    ["assert f(1) == [pytest.approx(0.3, abs=1)]", 'assert f(1) == [pytest.approx(0.3, abs=1), "falsified",]'],
    ["assert x.y is True", "assert x.y is False"],
    ["assert x is None", "assert (x is None) and False"],
    ["assert f(1)", "assert f(1) and False"],
    ["assert not f(1)", "assert (not f(1)) and False"],
    ["assert a or b", "assert (a or b) and False"],
    ["assert f(1) != 3", "assert f(1) != 3 and False"],
    ["assert 1 < f(1) < 5", "assert 1 < f(1) < 5 and False"],
    ["assert a and f(1) == 3", "assert a and f(1) == N"],
    ["assert 'a' in f(1)", "assert 'a-falsified' in f(1)"],
    ["assert f(1) in (1, 2)", "assert (f(1) in (1, 2)) and False"],
    ["assert f(1) == g(2)", "assert f(1) == g(2) and False"],
    ["assert [x for x in f(1)] == [1, 2]", "assert [x for x in f(1)] == [1, N]"],
  ])("%s", (line, expected) => {
    check(line, expected);
  });

  it.each<[string, string | null]>([
    ["self.assertEqual(add(1, 2), 3)", "self.assertEqual(add(1, 2), N)"],
    ["self.assertEqual(3, add(1, 2), 'm 5')", "self.assertEqual(N, add(1, 2), 'm 5')"],
    ["self.assertEqual(a, b)", "self.assertEqual(a, object())"],
    ["self.assertAlmostEqual(f(1), 0.3, places=5)", "self.assertAlmostEqual(f(1), N, places=5)"],
    ["self.assertNotEqual(f(1), 3)", "self.assertEqual(f(1), 3)"],
    ["self.assertTrue(f(1))", "self.assertTrue(f(1) and False)"],
    ["self.assertFalse(f(1))", "self.assertFalse(f(1) or True)"],
    ["self.assertIn(f(1), [1, 2])", "self.assertNotIn(f(1), [1, 2])"],
    ["self.assertIsNone(f(1))", "self.assertIsNotNone(f(1))"],
    ["with self.assertRaises(ValueError): f(1)", "with self.assertRaises(BufferError): f(1)"],
    ["with pytest.raises(ValueError, match='x'):", "with pytest.raises(BufferError, match='x'):"],
    ["self.assertRegex(f(1), r'a|b')", 'self.assertRegex(f(1), "(?!)")'],
    ["m.assert_called_once_with(1, a='x')", "m.assert_called_once_with(1, a='x-falsified')"],
    ["m.assert_called_once()", "m.assert_not_called()"],
    ["def assertSomething(a=1, b=2):", null],
    ["np.testing.assert_allclose(f(1), 0.5, rtol=1e-3)", "np.testing.assert_allclose(f(1), N, rtol=1e-3)"],
  ])("%s", (line, expected) => {
    check(line, expected);
  });

  it.each<[string, string | null]>([
    ["# assert f(1) == 3", null],
    ['x = """\nassert f(1) == 3\n"""', null],
    ["expected = 3\nassert f(1) == expected", "expected = N"],
    [
      "cases = [(1, [b])]\nfor a, c in cases: assert a == c\nfor a, c in cases: assert a == c",
      'cases = [(1, [b, "falsified",])]',
    ],
    ["for a, b in [(1, 2)]:\n    with self.assertRaises(E):\n        f(a, b)", "with self.assertRaises(BufferError):"],
    ["cases = [(1, 2)]\nfor a, b in cases:\n    assert f(a) == b", "cases = [(1, N)]"],
    [
      "@pytest.mark.parametrize('expected,a', [(1, 2)])\ndef test_a(expected, a):\n    assert f(a) == expected",
      "@pytest.mark.parametrize('expected,a', [(N, 2)])",
    ],
    ["@pytest.mark.parametrize('a', [1, 2])\ndef test_a(a):\n    pass", null],
    ["assert f(\n  1, 2\n) == \\\n  3", "N"],
  ])("only what is expected is changed: %j", (line, expected) => {
    check(line, expected);
  });
});

describe("the tests of a Python file", () => {
  it("have their decorators, classes, lines and the number of changes in them", () => {
    const text = [
      "@pytest.mark.parametrize(",
      "    'a,b', [(1, 2), (3, 4)])",
      "async def test_a(a, b):",
      "    assert f(a) == b",
      "",
      "class TestB:",
      "    def helper(self):",
      "        return 1",
      "    def test_c(self):",
      "        x = '''",
      "def test_no(): pass",
      "'''",
      "        assert f(x) == 1; assert f(y) == 2",
      "    def test_d(self): pass",
    ].join("\n");
    expect(testsOf("test_a.py", text)).toEqual([
      "test_a: 1-4, 2",
      "TestB > test_c: 9-13, 2",
      "TestB > test_d: 14-14, 0",
    ]);
  });
});
