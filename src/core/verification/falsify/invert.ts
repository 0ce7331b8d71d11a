import { replaceRange, type Code, type Edit } from "./code.ts";

/**
 * Turns the assertion around in which a literal was changed: `==` becomes `!=`, `equal` becomes `notEqual`. It passes where the other
 * one fails, so that it shows whether the assertion is reached at all. Null: nobody knows its opposite.
 */
export function invertAround(code: Code, edit: Pick<Edit, "from">): Edit | null {
  let at = tokenAt(code, edit.from);
  for (let level = 0; at !== -1 && level < levelsMax; level += 1) {
    const open = openBefore(code, at);
    const close = open === -1 ? code.tokens.length : (code.tokens[open]?.partner ?? -1);
    const sign = signBeside(code, at, { from: open + 1, to: close });
    if (sign !== -1) return replaceRange(code, { from: sign, to: sign + 1 }, signs.get(textAt(code, sign)) ?? "");
    const name = open - (textAt(code, open - 1) === "!" ? 2 : 1);
    const opposite = opposites.get(textAt(code, name));
    if (opposite !== undefined) return replaceRange(code, { from: name, to: name + 1 }, opposite);
    if (open === -1 || code.tokens[open]?.text === "{") return null;
    at = open;
  }
  return null;
}

/** A value in a list in a call in a condition. */
const levelsMax = 4;

function textAt(code: Code, index: number): string {
  return code.tokens[index]?.text ?? "";
}

function tokenAt(code: Code, from: number): number {
  const inside = code.tokens.findIndex((token) => token.from <= from && from < token.to);
  return inside === -1 ? code.tokens.findLastIndex((token) => token.to <= from) : inside;
}

/** The bracket around a token; -1: there is none, or it is far away. */
function openBefore(code: Code, at: number): number {
  for (let index = at - 1, step = 0; index >= 0 && step < tokensMax; index -= 1, step += 1) {
    const partner = code.tokens[index]?.partner ?? -1;
    if (partner > at) return index;
    if (partner !== -1 && partner < index) index = partner;
  }
  return -1;
}

/** Far more than an assertion has; it bounds the time for files without brackets. */
const tokensMax = 300;

/** The comparison that a value is a side of: nothing ends the condition between them. */
function signBeside(code: Code, at: number, { from, to }: { from: number; to: number }): number {
  const partner = code.tokens[at]?.partner ?? -1;
  for (let index = at - 1; index >= Math.max(from, at - tokensMax); index -= 1) {
    const token = code.tokens[index];
    if (token === undefined || ends.test(token.text)) break;
    if (signs.has(token.text)) return index;
    if (token.partner !== -1 && token.partner < index) index = token.partner;
  }
  for (let index = Math.max(at, partner) + 1; index < Math.min(to, at + tokensMax); index += 1) {
    const token = code.tokens[index];
    if (token === undefined || ends.test(token.text)) return -1;
    if (signs.has(token.text)) return index;
    if (token.partner > index) index = token.partner;
  }
  return -1;
}

const signs = new Map([
  ["==", "!="],
  ["!=", "=="],
  ["===", "!=="],
  ["!==", "==="],
]);

const ends = /^(?:[,;{}?]|&&|\|\||and|or|assert|if|return|=>|=|:=)$/;

const opposites = new Map([
  ["equal", "notEqual"],
  ["strictEqual", "notStrictEqual"],
  ["deepEqual", "notDeepEqual"],
  ["deepStrictEqual", "notDeepStrictEqual"],
  ["assertEqual", "assertNotEqual"],
  ["assertEquals", "assertNotEquals"],
  ["assert_eq", "assert_ne"],
  ["assert_equal", "refute_equal"],
  ["Equal", "NotEqual"],
  ["EXPECT_EQ", "EXPECT_NE"],
  ["ASSERT_EQ", "ASSERT_NE"],
  ["EXPECT_STREQ", "EXPECT_STRNE"],
  ["ASSERT_STREQ", "ASSERT_STRNE"],
  ["TEST_ASSERT_EQUAL", "TEST_ASSERT_NOT_EQUAL"],
  ["toBe", "not.toBe"],
  ["toEqual", "not.toEqual"],
]);
