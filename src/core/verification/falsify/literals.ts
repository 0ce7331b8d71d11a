import { isTyped } from "../syntax/language.ts";
import type { Token } from "../syntax/scan-tokens.ts";
import type { Code, Edit } from "./code.ts";

/** Whether a token is a value that stands for itself, and that can be replaced by another one. */
export function isLiteral(code: Code, index: number): boolean {
  const token = code.tokens[index];
  if (token === undefined) return false;
  if (token.kind === "number" || token.kind === "regex") return true;
  if (token.kind === "string") return token.tail > 0 || isCharacter(token);
  if (token.kind !== "word") return false;
  return words[code.language].has(token.text) || isRubySymbol(code, index);
}

/** Changes a literal into a value that no reasonable comparison takes for the old one; two places get different values. */
export function falsifyLiteral(code: Code, index: number): Edit | null {
  const token = code.tokens[index];
  if (token === undefined || !isLiteral(code, index)) return null;
  const salt = (code.seed + token.from) % 9973;
  const text = otherValue(code, index, salt);
  return { from: token.from, to: token.to, text, line: token.line, isLiteral: true };
}

/** A string literal whose text gets an unlikely end. */
export function extendString(token: Pick<Token, "text" | "tail">, salt: number): string {
  const end = token.text.length - token.tail;
  return `${token.text.slice(0, end)}-falsified${salt}${token.text.slice(end)}`;
}

function otherValue(code: Code, index: number, salt: number): string {
  const token = code.tokens[index];
  if (token === undefined) return "";
  if (token.kind === "number") return otherNumber(token.text, isTyped(code.language), salt);
  if (token.kind === "regex") return `/(?!)/${token.text.slice(token.text.length - token.tail + 1)}`;
  if (token.kind === "string" && token.tail > 0) return extendString(token, salt);
  if (token.kind === "string") return token.text.replace(/'[^]*'$/, token.text.endsWith("'~'") ? "'^'" : "'~'");
  if (isRubySymbol(code, index)) return `${token.text}_falsified${salt}`;
  return words[code.language].get(token.text)?.replace("SALT", String(salt)) ?? token.text;
}

/** Large steps where any number fits; small ones where a type can be a byte. Fractions move far from any tolerance. */
function otherNumber(text: string, isSmall: boolean, salt: number): string {
  const plain = text.replaceAll("_", "");
  const isRadix = /^0[xXbBoO]/.test(plain);
  const suffix = isRadix
    ? (/n$/.exec(plain)?.[0] ?? "")
    : (/(?:[iuf](?:8|16|32|64|128|size)|[a-df-zA-DF-Z]+)$/.exec(plain)?.[0] ?? "");
  const digits = plain.slice(0, plain.length - suffix.length);
  const value = Number(digits);
  const isFraction = !isRadix && (/[.eE]/.test(digits) || /^[fFdD]/.test(suffix));
  if (isFraction)
    return `${Number.isFinite(value) && Math.abs(value) < 1e6 ? value + 1_000_003.5 + salt : 2.5 + salt}${suffix}`;
  if (!Number.isSafeInteger(value) || isRadix) return otherDigit(text);
  if (!isSmall) return `${value + 1_000_003 + salt}${suffix}`;
  const step = 11 + (salt % 13);
  return `${value <= 100 ? value + step : value - step}${suffix}`;
}

/** The last digit changed: valid in every radix and for every length. */
function otherDigit(text: string): string {
  const isRadix = /^0[xXbBoO]/.test(text);
  const at = text.search(isRadix ? /[01](?=[^01]*$)/ : /\d(?=\D*$)/);
  if (at < (isRadix ? 2 : 0)) return `${text}1`;
  return `${text.slice(0, at)}${text[at] === "1" ? "0" : "1"}${text.slice(at + 1)}`;
}

function isCharacter(token: Token): boolean {
  return token.kind === "string" && token.tail === 0 && token.text.endsWith("'") && token.text.length > 2;
}

/** `:name`, but neither `a ? b : c` nor `key: value`. */
function isRubySymbol(code: Code, index: number): boolean {
  if (code.language !== "ruby") return false;
  const [before, colon, token] = [code.tokens[index - 2], code.tokens[index - 1], code.tokens[index]];
  if (colon?.text !== ":" || token?.kind !== "word" || colon.to !== token.from) return false;
  return before === undefined || before.to < colon.from || /^[([{,]$/.test(before.text);
}

const truths: [string, string][] = [
  ["true", "false"],
  ["false", "true"],
];

const words: Record<Code["language"], ReadonlyMap<string, string>> = {
  javascript: new Map([
    ...truths,
    ["null", '"falsifiedSALT"'],
    ["undefined", '"falsifiedSALT"'],
    ["NaN", "-1000003.5"],
    ["Infinity", "-1000003.5"],
  ]),
  python: new Map([
    ["True", "False"],
    ["False", "True"],
    ["None", '"falsifiedSALT"'],
  ]),
  go: new Map(truths),
  rust: new Map(truths),
  c: new Map(truths),
  java: new Map([...truths, ["null", '"falsifiedSALT"']]),
  kotlin: new Map([...truths, ["null", '"falsifiedSALT"']]),
  ruby: new Map([...truths, ["nil", '"falsifiedSALT"']]),
};
