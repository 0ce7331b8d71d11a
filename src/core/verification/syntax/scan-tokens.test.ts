import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { languageOf, type Language } from "./language.ts";
import { scanTokens } from "./scan-tokens.ts";

function check(language: Language, text: string, expected: string): void {
  expect(
    scanTokens(text, language)
      .map((token) => token.text)
      .join(" ¦ "),
  ).toBe(expected);
}

describe("the tokens of a text", () => {
  it.each<[Language, string, string]>([
    ["javascript", "a === 'b // c' // d", "a ¦ === ¦ 'b // c'"],
    ["javascript", "x = `a ${ { b: `}` } } c`; y", "x ¦ = ¦ `a ${ { b: `}` } } c` ¦ ; ¦ y"],
    ["javascript", "f(/[/)]\\//g, a / b / c)", "f ¦ ( ¦ /[/)]\\//g ¦ , ¦ a ¦ / ¦ b ¦ / ¦ c ¦ )"],
    ["javascript", "/* ' */ <p>don't</p>", "< ¦ p ¦ > ¦ don ¦ ' ¦ t ¦ < ¦ / ¦ p ¦ >"],
    ["javascript", "1.5e-3 + 0x1F + 10n", "1.5e-3 ¦ + ¦ 0x1F ¦ + ¦ 10n"],
    ["python", "x = rb'a\\'b' # it's", "x ¦ = ¦ rb'a\\'b'"],
    ["python", 'x = """a "b" #\nc""" + f\'d\'', 'x ¦ = ¦ """a "b" #\nc""" ¦ + ¦ f\'d\''],
    ["go", "a := `x\"\n` + '\\'' // y", "a ¦ := ¦ `x\"\n` ¦ + ¦ '\\''"],
    ["rust", "/* a /* b */ c */ r#\"x\"y\"# 'a' 'b: &'static", "r#\"x\"y\"# ¦ 'a' ¦ ' ¦ b ¦ : ¦ & ¦ ' ¦ static"],
    ["rust", "1..2 1.max(2) 3u8 2.0_f32", "1 ¦ .. ¦ 2 ¦ 1 ¦ . ¦ max ¦ ( ¦ 2 ¦ ) ¦ 3u8 ¦ 2.0_f32"],
    ["c", '#define A "x \\\n y"\nR"-(a)b")-" L"c"', 'R"-(a)b")-" ¦ L"c"'],
    ["java", 'a("""\n "x" """, \'c\')', 'a ¦ ( ¦ """\n "x" """ ¦ , ¦ \'c\' ¦ )'],
    ["kotlin", "/* /* */ */ a?.b ?: c", "a ¦ ?. ¦ b ¦ ? ¦ : ¦ c"],
    ["ruby", "a = %w[b [c]] # d\n=begin\ne\n=end\nf", "a ¦ = ¦ %w[b [c]] ¦ f"],
    ["ruby", "a <<~EOS, 3\n  'b\nEOS\nc /d'/ ", "a ¦ <<~EOS ¦ , ¦ 3 ¦ c ¦ /d'/"],
  ])("%s: comments are none, and text in quotes is one: %j", (language, text, expected) => {
    check(language, text, expected);
  });

  it("know their line and the bracket that belongs to them", () => {
    const tokens = scanTokens("f(\n `a\nb`,\n [1])", "javascript");
    expect(tokens.map(({ line }) => line)).toEqual([1, 1, 2, 3, 4, 4, 4, 4]);
    expect(tokens.map(({ partner }) => partner)).toEqual([-1, 7, -1, -1, 6, -1, 4, 1]);
  });

  it("cover any text without an error, in order and in bounded time", () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      "`",
      "${",
      "}",
      "/*",
      "*/",
      "//",
      "#",
      "\\",
      "\n",
      "r#",
      "%w[",
      "<<~E",
      "a",
      "1.",
      "(",
      "]",
      "/",
      " ",
      "é",
      "🙂",
    );
    const languages = ["a.ts", "a.py", "a.go", "a.rs", "a.cpp", "a.java", "a.kt", "a.rb"].map(languageOf);
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom(...languages), (pieces, language) => {
        const text = pieces.join("");
        const tokens = scanTokens(text, language ?? "c");
        for (const [index, token] of tokens.entries()) {
          expect(token.text).toBe(text.slice(token.from, token.to));
          expect(token.from).toBeGreaterThanOrEqual(tokens[index - 1]?.to ?? 0);
          expect(token.to).toBeGreaterThan(token.from);
        }
      }),
      { seed: propertySeed, numRuns: 300 },
    );
  });

  it.each(["'\\", "/[", "`${", 'r#"', "/*", "<<~E\n", "%w[", "a'\\", "1.", "(["])(
    "are found in linear time in many of %j",
    (piece) => {
      for (const path of ["a.ts", "a.py", "a.go", "a.rs", "a.cpp", "a.java", "a.rb"])
        expect(scanTokens(piece.repeat(10_000), languageOf(path) ?? "c").length).toBeGreaterThanOrEqual(0);
    },
  );
});
