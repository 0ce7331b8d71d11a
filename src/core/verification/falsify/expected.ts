import { isTyped } from "../syntax/language.ts";
import {
  argumentsOf,
  insertBefore,
  outerTokens,
  skipToken,
  splitRange,
  type Code,
  type Edit,
  type Range,
} from "./code.ts";
import { falsifyLiteral, isLiteral } from "./literals.ts";

/**
 * Changes the last literal of an expression that is an expected value: a literal, a list or object of them, a constructor
 * such as `Some(3)` or `new Set([1])`. Null for anything else, as for a call of the code under test.
 */
export function falsifyExpected(code: Code, range: Range): Edit | null {
  const start = primaryStart(code, range);
  const first = code.tokens[start];
  if (first === undefined || start >= range.to) return null;
  if (isLiteral(code, start)) return falsifyPlain(code, { from: start, to: range.to });
  const isGoType = code.language === "go" && first.text === "[";
  const open = first.partner > start && !isGoType ? start : constructorOpen(code, { from: start, to: range.to });
  const opening = code.tokens[open];
  if (open === -1 || opening === undefined || opening.partner <= open || opening.partner >= range.to) return null;
  const inside = { from: open + 1, to: isTolerant(code, open) ? firstEnd(code, open) : opening.partner };
  if (!isPostfix(code, { from: opening.partner + 1, to: range.to }) || isComprehension(code, inside)) return null;
  const literal = lastLiteral(code, inside);
  if (literal !== null) return falsifyLiteral(code, literal);
  return open === start ? addElement(code, open) : null;
}

/** `approx(0.3, rel=1e-6)`: another tolerance would make the comparison weaker. */
function isTolerant(code: Code, open: number): boolean {
  return /^(?:approx|closeTo|within)$/.test(code.tokens[open - 1]?.text ?? "");
}

function firstEnd(code: Code, open: number): number {
  return argumentsOf(code, open)[0]?.to ?? open + 1;
}

/** A value that is equal to nothing, for an expected value that is not written down; null where types forbid it. */
export function neverEqual(code: Code): string | null {
  if (code.language === "javascript") return /ts[x]?$/.test(code.path) ? "(Symbol() as never)" : "Symbol()";
  return strangers.get(code.language) ?? null;
}

const strangers = new Map<Code["language"], string>([
  ["python", "object()"],
  ["ruby", "Object.new"],
  ["java", "new Object()"],
  ["kotlin", "Any()"],
]);

function primaryStart(code: Code, { from, to }: Range): number {
  let index = from;
  while (index < to && /^(?:[-+&*]|new|mut)$/.test(code.tokens[index]?.text ?? "")) index += 1;
  const isRubySymbol = code.language === "ruby" && code.tokens[index]?.text === ":";
  return isRubySymbol ? index + 1 : index;
}

/** Literals in a row or with a sign between them, and methods of the last one. */
function falsifyPlain(code: Code, range: Range): Edit | null {
  let last = range.from;
  for (let index = range.from; index < range.to; index += 1) {
    if (isLiteral(code, index)) last = index;
    else if (isPostfix(code, { from: index, to: range.to })) break;
    else if (!/^[-+]$/.test(code.tokens[index]?.text ?? "")) return null;
  }
  return falsifyLiteral(code, last);
}

/** `.join("\n")`, `.to_string()`, `as const`: what may follow a literal without making it the code under test. */
function isPostfix(code: Code, { from, to }: Range): boolean {
  let index = from;
  while (index < to) {
    const text = code.tokens[index]?.text ?? "";
    if (text === "as" || text === "satisfies") return true;
    if (text !== "." || code.tokens[index + 1]?.kind !== "word") return false;
    index += 2;
    if (code.tokens[index]?.text === "(") index = skipToken(code, index);
  }
  return true;
}

/** The bracket of `Some(…)`, `vec![…]`, `[]string{…}`, `Point{…}`, `expect.objectContaining(…)`; -1 when there is none. */
function constructorOpen(code: Code, { from, to }: Range): number {
  let index = from;
  while (index < to) {
    const token = code.tokens[index];
    if (token === undefined) return -1;
    if (token.text === "(") return isConstructor(code.tokens[index - 1]?.text ?? "", code, index - 1) ? index : -1;
    if (token.text === "{") return code.language === "javascript" ? -1 : index;
    if (token.text === "[" && code.tokens[index - 1]?.text === "!") return index;
    if (token.text === "[" && code.language === "go") index = skipToken(code, index);
    else if (token.kind === "word" || /^(?:\.|::|!|<|>|\*|,|\?)$/.test(token.text)) index += 1;
    else return -1;
  }
  return -1;
}

function isConstructor(name: string, code: Code, index: number): boolean {
  if (name === ">") return code.language !== "python";
  if (code.tokens[index - 1]?.text === "." && code.tokens[index - 2]?.text === "expect") return true;
  return /^[A-Z]/.test(name) || constructors.has(name);
}

const constructors = new Set(
  "approx closeTo of listOf setOf mapOf arrayOf asList from set frozenset dict tuple list equalTo is containsString eq match_array call".split(
    " ",
  ),
);

function isComprehension(code: Code, range: Range): boolean {
  return (
    outerTokens(code, range).some(({ token }) => token.text === "for" || token.text === "=>" || token.text === "->") &&
    code.language !== "ruby"
  );
}

/** The last value in brackets; no key, no index, no argument of a call, nothing in a function. */
function lastLiteral(code: Code, { from, to }: Range): number | null {
  for (let index = to - 1; index >= Math.max(from, to - tokensMax); index -= 1) {
    const token = code.tokens[index];
    if (token === undefined) continue;
    if (token.partner !== -1 && token.partner < index) {
      if (!isData(code, token.partner)) index = token.partner;
      continue;
    }
    const after = code.tokens[index + 1]?.text;
    const isKey = after === ":" || (after === "=>" && code.language === "ruby");
    if (!isKey && isLiteral(code, index)) return index;
  }
  return null;
}

/** Far more than an expected value has after its last literal; it bounds the time for brackets in brackets. */
const tokensMax = 1000;

/** Whether the brackets that open here hold values. */
function isData(code: Code, open: number): boolean {
  const opening = code.tokens[open];
  const before = code.tokens[open - 1];
  const follows = before !== undefined && (before.kind === "word" || /^[)\]>]$/.test(before.text));
  if (opening === undefined || before?.text === "=>" || before?.text === "->") return false;
  if (opening.text === "[")
    return !follows && !(code.language === "go" && code.tokens[opening.partner + 1]?.kind === "word");
  if (opening.text === "{") return before?.text !== ")" && before?.text !== "$";
  return !follows || (isConstructor(before.text, code, open - 1) && !isTolerant(code, open));
}

/** One more element for a list, set or object whose elements are no literals. */
function addElement(code: Code, open: number): Edit | null {
  const opening = code.tokens[open];
  const close = code.tokens[opening?.partner ?? -1];
  if (opening === undefined || close === undefined || isTyped(code.language)) return null;
  const inside = { from: open + 1, to: opening.partner };
  const isEmpty = inside.from === inside.to;
  if (opening.text === "(" && (code.language !== "python" || (!isEmpty && splitRange(code, inside, ",").length < 2)))
    return null;
  const isTable = opening.text === "{" && (isEmpty || code.language !== "python" || hasColon(code, inside));
  const element = isTable ? tableElements[code.language === "javascript" ? 0 : 1] : '"falsified"';
  const isOpenEnded = isEmpty || code.tokens[opening.partner - 1]?.text === ",";
  return { ...insertBefore(close, `${isOpenEnded ? "" : ", "}${element},`), isLiteral: true };
}

const tableElements = ["falsified: 1", '"falsified": 1'] as const;

function hasColon(code: Code, range: Range): boolean {
  return outerTokens(code, range).some(({ token }) => token.text === ":");
}
