import { describe, expect, it } from "vitest";
import { changedLines, testsOf } from "../../../../tests/falsify/changed-lines.ts";

function check(path: string, line: string, expected: string | null): void {
  const changed = changedLines(path, line).map((each) =>
    each.replaceAll(/(?<![\w.])(?:1[1-9]|2\d)(?=u8|[^\w.]|$)/g, "N"),
  );
  expect(changed).toEqual(expected === null ? [] : [expected]);
}

describe("expectations in Go", () => {
  it.each<[string, string | null]>([
    ['if got := Add(1, 2); got != 3 {\n t.Errorf("%d", got)\n}', "if got := Add(1, 2); got != N {"],
    ["if got != want {\n t.Fatal(got)\n}", "if got != want || true {"],
    ["if !ok {\n t.Fail()\n}", "if !ok || true {"],
    ['if diff := cmp.Diff(a, b); diff != "" {\n t.Error(diff)\n}', 'if diff := cmp.Diff(a, b); diff != "-falsified" {'],
    ["if testing.Short() {\n t.Skip()\n}", null],
    ["want := 3\nif got != want {\n t.Fatal(got)\n}", "want := N"],
    ['tests := []struct {\n a int\n want string\n}{\n {1, "x"},\n}', '{1, "x-falsified"},'],
    ["tests := []test{{a: 1, want: 3}}", "tests := []test{{a: 1, want: N}}"],
    ["assert.Equal(t, 3, Add(1, 2))", "assert.Equal(t, N, Add(1, 2))"],
    ['assert.Equal(t, []string{"a", "b"}, f())', 'assert.Equal(t, []string{"a", "b-falsified"}, f())'],
    ["assert.Equal(t, a, b)", "assert.Equal(t, []interface{}{a}, b)"],
    ["require.NoError(t, err)", "require.Error(t, err)"],
    ["assert.True(t, ok)", "assert.True(t, ok && false)"],
  ])("%s", (line, expected) => {
    check("a_test.go", line, expected);
  });

  it("names subtests as Go does", () => {
    const text = 'func TestA(t *testing.T) {\n t.Run("b c", func(t *testing.T) {\n  assert.Equal(t, 1, f())\n })\n}\n';
    expect(testsOf("a_test.go", text)).toEqual(["TestA: 1-5, 1", "TestA/b_c: 2-4, 1"]);
  });
});

describe("expectations in Rust", () => {
  it.each<[string, string | null]>([
    ["assert_eq!(add(1, 2), 3);", "assert_eq!(add(1, 2), N);"],
    ['assert_eq!(f(1), "a".to_string(), "m {}", 5);', 'assert_eq!(f(1), "a-falsified".to_string(), "m {}", 5);'],
    ["assert_eq!(f(1), Some(3u8));", "assert_eq!(f(1), Some(Nu8));"],
    ["assert_eq!(f(1), vec![1, 2]);", "assert_eq!(f(1), vec![1, N]);"],
    ["assert_eq!(f(1), 'a');", "assert_eq!(f(1), '~');"],
    ['assert_eq!(f(1), g(2), "m");', 'assert!(f(1) == g(2) && false, "m");'],
    ["assert_ne!(f(1), 3);", "assert_eq!(f(1), 3);"],
    ["assert!(f(1));", "assert!(f(1) && false);"],
    ["assert!(f(1) || g(2));", "assert!((f(1) || g(2)) && false);"],
    ["#[should_panic]", '#[should_panic(expected = "falsified")]'],
    ['#[should_panic(expected = "a")]', '#[should_panic(expected = "a-falsified")]'],
    ["for (a, want) in [(1, 2)] { assert_eq!(f(a), want); }", "for (a, want) in [(1, N)] { assert_eq!(f(a), want); }"],
    ['/* assert_eq!(1, 2); */ let a = r#"assert_eq!(1, 2);"#;', null],
  ])("%s", (line, expected) => {
    check("a.rs", line, expected);
  });

  it("names tests with their modules", () => {
    const text =
      "mod tests {\n #[test]\n #[should_panic]\n fn a() {\n }\n fn b() {}\n #[tokio::test]\n async fn c() { assert_eq!(d(), 1); }\n}";
    expect(testsOf("a.rs", text)).toEqual(["tests > a: 2-5, 1", "tests > c: 7-8, 1"]);
  });
});

describe("expectations in C and C++", () => {
  it.each<[string, string | null]>([
    ["assert(add(1, 2) == 3);", "assert(add(1, 2) == N);"],
    ["assert(ok());", "assert((ok() && 0));"],
    ['assert(strcmp(f(), "x") == 0);', 'assert(strcmp(f(), "x-falsified") == 0);'],
    ['assert(!strcmp("x", f()));', 'assert(!strcmp("x-falsified", f()));'],
    ['assert(strcmp(f(), "x") != 0);', 'assert((strcmp(f(), "x") != 0 && 0));'],
    ['if (strcmp(f(), "x")) return 1;', 'if (strcmp(f(), "x-falsified")) return 1;'],
    ['assert(strncmp(f(), "x", 1) == 0);', 'assert(strncmp(f(), "x", 1) == N);'],
    ['if (add(1, 2) != 3) { puts("bad"); return 1; }', 'if (add(1, 2) != N) { puts("bad"); return 1; }'],
    ["if (!ok()) return 1;", "if ((!ok() || 1)) return 1;"],
    ["if (argc > 1) { run(3); }", null],
    ["EXPECT_EQ(3, add(1, 2));", "EXPECT_EQ(N, add(1, 2));"],
    ['EXPECT_STREQ(f(), "x");', 'EXPECT_STREQ(f(), "x-falsified");'],
    ["EXPECT_EQ(a, b);", "EXPECT_NE(a, b);"],
    ["ASSERT_NE(a, 3);", "ASSERT_EQ(a, 3);"],
    ["EXPECT_FALSE(ok());", "EXPECT_FALSE((ok() || 1));"],
    ["REQUIRE(add(1, 2) == 3);", "REQUIRE(add(1, 2) == N);"],
    ["TEST_ASSERT_EQUAL_INT(3, add(1, 2));", "TEST_ASSERT_EQUAL_INT(N, add(1, 2));"],
    ["#define CHECK3(x) assert((x) == 3)", null],
  ])("%s", (line, expected) => {
    check("a_test.cpp", line, expected);
  });

  it("stand in calls of a function of the file that fails when its parameter does not hold", () => {
    const helper = "static void check(int ok, const char *name) {\n if (!ok) failed++;\n}\n";
    check(
      "a_test.c",
      `${helper}int main(void) { check(add(1, 2) == 3, "adds"); }`,
      'int main(void) { check(add(1, 2) == N, "adds"); }',
    );
    check(
      "a_test.c",
      "static void check(int ok) {\n if (!ok) puts(name);\n}\nint main(void) { check(add() == 3); }",
      null,
    );
  });

  it("names tests of googletest, Catch2 and plain functions", () => {
    const text = 'TEST(A, B) {\n EXPECT_EQ(1, f());\n}\nTEST_CASE("c d") {\n}\nvoid test_e(void) { assert(f() == 1); }';
    expect(testsOf("a_test.cpp", text)).toEqual(["A > B: 1-3, 1", "c d: 4-5, 0", "test_e: 6-6, 1"]);
  });
});

describe("expectations in Java and Kotlin", () => {
  it.each<[string, string, string | null]>([
    ["java", "assertEquals(3, add(1, 2));", "assertEquals(N, add(1, 2));"],
    ["java", 'assertEquals("a", f(1), "m");', 'assertEquals("a-falsified", f(1), "m");'],
    [
      "java",
      'import static org.junit.Assert.*; assertEquals("m", 3, f(1));',
      'import static org.junit.Assert.*; assertEquals("m", N, f(1));',
    ],
    ["java", "assertEquals(a, b);", "assertEquals(new Object(), b);"],
    ["java", "assertEquals(List.of(1, 2), f(1));", "assertEquals(List.of(1, N), f(1));"],
    ["java", "assertTrue(f(1));", "assertTrue(f(1) && false);"],
    ["java", "assertNull(f(1));", "assertNotNull(f(1));"],
    ["java", "assertThrows(A.class, () -> f(1));", "assertThrows(java.lang.InternalError.class, () -> f(1));"],
    ["java", "A e = assertThrows(A.class, () -> f(1));", null],
    ["java", "@Test(expected = A.class)", "@Test(expected = java.lang.InternalError.class)"],
    ["java", "assertThat(f(1)).isEqualTo(3);", "assertThat(f(1)).isEqualTo(N);"],
    ["java", "assertThat(f(1), is(3));", "assertThat(f(1), is(N));"],
    ["java", "list.stream().contains(3);", null],
    ["kt", "assertEquals(3, add(1, 2))", "assertEquals(N, add(1, 2))"],
    ["kt", "assertEquals(a, b)", "assertEquals(Any(), b)"],
    ["kt", "add(1, 2) shouldBe 3", "add(1, 2) shouldBe N"],
  ])("%s: %s", (extension, line, expected) => {
    check(`ATest.${extension}`, line, expected);
  });

  it("names methods under @Test with their classes", () => {
    const text =
      "class A {\n @Test\n void b() {\n  assertEquals(1, f());\n }\n void c() {}\n @Test public void d() { }\n}";
    expect(testsOf("ATest.java", text)).toEqual(["A > b: 2-5, 1", "A > d: 7-7, 0"]);
    expect(testsOf("ATest.kt", "class A {\n @Test\n fun b() {\n  assertEquals(1, f())\n }\n}")).toEqual([
      "A > b: 2-5, 1",
    ]);
  });
});
