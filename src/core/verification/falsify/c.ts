import {
  argumentsOf,
  collectEdits,
  lastLine,
  outerTokens,
  replaceRange,
  skipToken,
  type Code,
  type Edit,
  type Found,
  type Range,
} from "./code.ts";
import { callBlocks, type TestBlock } from "./blocks.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { mentions, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";

/** Makes the assertions of a C or C++ test false: `assert`, googletest, Catch2, doctest, Unity, Check, `if (got != 3) return 1;`. */
export function falsifyC(subject: Subject): Edit[] {
  const { code } = subject;
  return collectEdits(code, (index) => {
    if (code.tokens[index]?.kind !== "word" || code.tokens[index + 1]?.text !== "(") return null;
    if (code.tokens[index]?.text === "if") return findFailingIf(subject, index);
    const edit = falsifyCall(subject, index);
    return edit === null ? null : { edit, to: skipToken(code, index + 1) };
  });
}

function falsifyCall(subject: Subject, index: number): Edit | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  const given = argumentsOf(code, index + 1);
  const [first] = given;
  if (first === undefined) return null;
  if (truth.test(name)) return unlessNamed(subject, first, makeFalse(code, first));
  if (falsity.test(name)) return unlessNamed(subject, first, makeTrue(code, first));
  const opposite = opposites.find(([from]) => from.test(name));
  if (opposite !== undefined)
    return replaceRange(code, { from: index, to: index + 1 }, name.replace(opposite[0], opposite[1]));
  if (!equality.test(name)) return null;
  for (const side of given.slice(0, 2)) {
    const edit = falsifyExpected(code, side);
    if (edit !== null) return edit;
  }
  const negative = name.replace(/(?<=^(?:EXPECT|ASSERT)_(?:STR)?)EQ$/, "NE");
  if (negative === name || given.slice(0, 2).some((side) => mentions(subject, side))) return null;
  return replaceRange(code, { from: index, to: index + 1 }, negative);
}

function unlessNamed(subject: Subject, range: Range, edit: Edit | null): Edit | null {
  return edit === null || edit.isLiteral || !mentions(subject, range) ? edit : null;
}

const truth =
  /^(?:assert|EXPECT_TRUE|ASSERT_TRUE|REQUIRE|CHECK|TEST_ASSERT|TEST_ASSERT_TRUE|ck_assert|g_assert|g_assert_true|mu_assert|cr_assert|assert_true|BOOST_CHECK|BOOST_TEST|BOOST_REQUIRE|CU_ASSERT|CU_ASSERT_TRUE)$/;
const falsity =
  /^(?:EXPECT_FALSE|ASSERT_FALSE|REQUIRE_FALSE|CHECK_FALSE|TEST_ASSERT_FALSE|assert_false|CU_ASSERT_FALSE|g_assert_false)$/;
const equality =
  /^(?:(?:EXPECT|ASSERT)_(?:STR|FLOAT_|DOUBLE_)?EQ|(?:EXPECT|ASSERT)_NEAR|TEST_ASSERT_EQUAL\w*|TEST_CHECK_EQUAL|ck_assert_\w+_eq|g_assert_cmp\w*|assert_(?:int|string)_equal|(?:CHECK|REQUIRE)_EQ|BOOST_(?:CHECK|REQUIRE)_EQUAL|CU_ASSERT_(?:STRING_)?EQUAL)$/;
const opposites: [RegExp, string][] = [
  [/(?<=^(?:EXPECT|ASSERT)_(?:STR)?)NE$/, "EQ"],
  [/(?<=^(?:EXPECT|ASSERT)_)(?:GT)$/, "LE"],
  [/(?<=^(?:EXPECT|ASSERT)_)(?:GE)$/, "LT"],
  [/(?<=^(?:EXPECT|ASSERT)_)(?:LT)$/, "GE"],
  [/(?<=^(?:EXPECT|ASSERT)_)(?:LE)$/, "GT"],
  [/(?<=^(?:EXPECT|ASSERT)_)NO_THROW$/, "ANY_THROW"],
  [/(?<=^(?:EXPECT|ASSERT)_)ANY_THROW$/, "NO_THROW"],
  [/^REQUIRE_NOTHROW$/, "REQUIRE_THROWS"],
  [/^REQUIRE_THROWS$/, "REQUIRE_NOTHROW"],
  [/^CHECK_NOTHROW$/, "CHECK_THROWS"],
  [/^CHECK_THROWS$/, "CHECK_NOTHROW"],
];

/** `if (got != 3) { … return 1; }`: a body that fails the program is made to run. */
function findFailingIf(subject: Subject, index: number): Found | null {
  const { code } = subject;
  const close = code.tokens[index + 1]?.partner ?? -1;
  if (close <= index) return null;
  const condition = { from: index + 2, to: close };
  if (!failsIn(code, bodyOf(code, close + 1))) return null;
  return { edit: unlessNamed(subject, condition, makeTrue(code, condition)), to: close + 1 };
}

function bodyOf(code: Code, from: number): Range {
  if (code.tokens[from]?.text === "{") return { from: from + 1, to: skipToken(code, from) - 1 };
  let to = from;
  while (to < code.tokens.length && to < from + 60 && code.tokens[to]?.text !== ";") to = skipToken(code, to);
  return { from, to };
}

function failsIn(code: Code, body: Range): boolean {
  return outerTokens(code, body).some(({ token, index }) => {
    const after = code.tokens[index + 1]?.text ?? "";
    if (token.text === "return") return /^(?:[1-9]\d*|EXIT_FAILURE|-)$/.test(after);
    if (/^_?exit$/i.test(token.text)) return /^(?:[1-9]\d*|EXIT_FAILURE)$/.test(code.tokens[index + 2]?.text ?? "");
    if (/^(?:abort|FAIL|fail)$/.test(token.text)) return true;
    return /^(?:fail|failed|failures|errors)\w*$/.test(token.text) && /^(?:\+\+|\+=|=)$/.test(after);
  });
}

/** `TEST(Suite, Name) { … }` as googletest reports it, `TEST_CASE("…")`, and functions whose name begins with `test`. */
export function cBlocks(code: Code): TestBlock[] {
  const blocks = callBlocks(code).map((block) => ({ ...block, toLine: block.toLine }));
  const found: TestBlock[] = [];
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word" || code.tokens[index + 1]?.text !== "(") continue;
    const body = skipToken(code, index + 1);
    if (code.tokens[body]?.text !== "{") continue;
    const name = blockName(code, index);
    if (name === null) continue;
    const last = code.tokens[skipToken(code, body) - 1] ?? token;
    found.push({ ...name, fromLine: token.line, toLine: lastLine(last) });
  }
  return [...found, ...blocks.filter((block) => !found.some((each) => each.fromLine === block.fromLine))];
}

function blockName(code: Code, index: number): { name: string; suites: string[] } | null {
  const word = code.tokens[index]?.text ?? "";
  const words = argumentsOf(code, index + 1).map(({ from }) => code.tokens[from]?.text ?? "");
  if (/^TEST(?:_F|_P)?$/.test(word))
    return { name: words[1] ?? words[0] ?? "", suites: words.length > 1 ? words.slice(0, 1) : [] };
  if (/^(?:TEST_CASE|SCENARIO|START_TEST)$/.test(word))
    return { name: (words[0] ?? "").replaceAll('"', ""), suites: [] };
  return /^test|_test$|Test$/.test(word) ? { name: word, suites: [] } : null;
}
