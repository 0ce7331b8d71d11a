import {
  argumentsOf,
  collectEdits,
  lastLine,
  outerTokens,
  replaceRange,
  skipToken,
  type Code,
  type Edit,
  type Range,
} from "./code.ts";
import { callBlocks, type TestBlock } from "./blocks.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { bodyOf, countsFailure, findFailingIf } from "./failing-if.ts";
import { mentions, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";

/** Makes the assertions of a C or C++ test false: `assert`, googletest, Catch2, doctest, Unity, Check, `if (got != 3) return 1;`. */
export function falsifyC(subject: Subject): Edit[] {
  const { code } = subject;
  const helpers = findHelpers(code);
  return collectEdits(code, (index) => {
    if (code.tokens[index]?.kind !== "word" || code.tokens[index + 1]?.text !== "(") return null;
    if (code.tokens[index]?.text === "if") return findFailingIf(subject, index, { failsIn, turn: turnText });
    const edit = falsifyHelperCall(subject, index, helpers) ?? falsifyCall(subject, index);
    return edit === null ? null : { edit, to: skipToken(code, index + 1) };
  });
}

function falsifyCall(subject: Subject, index: number): Edit | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  const given = argumentsOf(code, index + 1);
  const [first] = given;
  if (first === undefined) return null;
  if (truth.test(name)) return unlessNamed(subject, first, falsifyTruth(code, first));
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

/** `check(got == 3, "adds")` with a function of this file that fails when its parameter does not hold. */
function falsifyHelperCall(subject: Subject, index: number, helpers: ReadonlyMap<string, number>): Edit | null {
  const { code } = subject;
  const at = helpers.get(code.tokens[index]?.text ?? "");
  if (at === undefined || code.tokens[skipToken(code, index + 1)]?.text === "{") return null;
  const given = argumentsOf(code, index + 1)[at];
  return given === undefined ? null : unlessNamed(subject, given, falsifyTruth(code, given));
}

/** Functions of the file with `if (!parameter) failed++;`, and which parameter that is. */
function findHelpers(code: Code): Map<string, number> {
  const helpers = new Map<string, number>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word" || code.tokens[index + 1]?.text !== "(") continue;
    const open = skipToken(code, index + 1);
    if (code.tokens[open]?.text !== "{" || /^(?:if|for|while|switch)$/.test(token.text)) continue;
    const names = argumentsOf(code, index + 1).map(({ to }) => code.tokens[to - 1]?.text ?? "");
    const at = names.findIndex((name) => failsWithout(code, { from: open, to: skipToken(code, open) }, name));
    if (at !== -1) helpers.set(token.text, at);
  }
  return helpers;
}

function failsWithout(code: Code, { from, to }: Range, name: string): boolean {
  for (let index = from; index < to; index += 1) {
    const words = code.tokens.slice(index, index + 5).map(({ text }) => text);
    if (words.join(" ") === `if ( ! ${name} )` && failsIn(code, bodyOf(code, index + 5))) return true;
  }
  return false;
}

function falsifyTruth(code: Code, range: Range): Edit | null {
  return falsifyText(code, range, true) ?? makeFalse(code, range);
}

/**
 * `strcmp(got, "a") == 0`: the text is what is expected. With another number in the place of 0 the test would fail as well where the
 * comparison is switched off and always answers 0.
 */
function falsifyText(code: Code, range: Range, isEqual: boolean): Edit | null {
  const outer = outerTokens(code, range);
  const sign = outer.find(({ token }) => /^[=!]=$/.test(token.text))?.token.text;
  const isNegated = outer[0]?.token.text === "!";
  const saysEqual = sign === undefined ? isNegated : (sign === "==") !== isNegated;
  const isZero = sign === undefined || outer.at(-1)?.token.text === "0";
  if (saysEqual !== isEqual || !isZero || outer.some(({ token }) => /^(?:&&|\|\||\?)$/.test(token.text))) return null;
  const call = outer.find(({ token }) => /^(?:strcmp|strcasecmp|wcscmp|g_strcmp0)$/.test(token.text));
  if (call === undefined || code.tokens[call.index + 1]?.text !== "(") return null;
  const literal = argumentsOf(code, call.index + 1).find(
    ({ from, to }) => to - from === 1 && code.tokens[from]?.kind === "string",
  );
  return literal === undefined ? null : falsifyExpected(code, literal);
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

function turnText(code: Code, condition: Range): Edit | null {
  return falsifyText(code, condition, false);
}

function failsIn(code: Code, body: Range): boolean {
  return outerTokens(code, body).some(({ token, index }) => {
    const after = code.tokens[index + 1]?.text ?? "";
    if (token.text === "return") return /^(?:[1-9]\d*|EXIT_FAILURE|-)$/.test(after);
    if (/^_?exit$/i.test(token.text)) return /^(?:[1-9]\d*|EXIT_FAILURE)$/.test(code.tokens[index + 2]?.text ?? "");
    if (/^(?:abort|FAIL|fail)$/.test(token.text)) return true;
    return countsFailure(code, index);
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
