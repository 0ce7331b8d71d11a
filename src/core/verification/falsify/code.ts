import type { Language } from "../syntax/language.ts";
import { scanTokens, type Token } from "../syntax/scan-tokens.ts";

/** A test file as tokens. */
export type Code = { path: string; text: string; language: Language; tokens: readonly Token[]; seed: number };

/** Tokens from one index up to another, without the last. */
export type Range = { from: number; to: number };

/**
 * A change of the text. `isLiteral`: an expected value was changed, so that also code which reads its answers from the
 * tests is found out; the others make an assertion false whatever the code under test answers. `group`: the helper that gets the value,
 * where only its calls say that it asserts something.
 */
export type Edit = { from: number; to: number; text: string; line: number; isLiteral: boolean; group?: string };

/** Reads a file as code. */
export function openCode(path: string, text: string, language: Language): Code {
  let seed = 7;
  for (const character of path) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return { path, text, language, tokens: scanTokens(text, language), seed };
}

/** Replaces the tokens of a range. */
export function replaceRange(code: Code, range: Range, text: string): Edit {
  const first = code.tokens[range.from];
  const last = code.tokens[range.to - 1];
  return { from: first?.from ?? 0, to: last?.to ?? 0, text, line: first?.line ?? 1, isLiteral: false };
}

/** Inserts text before a token. */
export function insertBefore(token: Token, text: string): Edit {
  return { from: token.from, to: token.from, text, line: token.line, isLiteral: false };
}

/** The text of a range as it stands in the file. */
export function textOf(code: Code, range: Range): string {
  return code.text.slice(code.tokens[range.from]?.from ?? 0, code.tokens[range.to - 1]?.to ?? 0);
}

/** The index after a token, or after the bracket that closes it. */
export function skipToken(code: Code, index: number): number {
  const token = code.tokens[index];
  return token !== undefined && token.partner > index ? token.partner + 1 : index + 1;
}

/** What stands between an opening bracket and its partner, split at commas; empty without a partner. */
export function argumentsOf(code: Code, open: number): Range[] {
  const close = code.tokens[open]?.partner ?? -1;
  if (close <= open) return [];
  return splitRange(code, { from: open + 1, to: close }, ",");
}

/** Splits a range at a symbol that stands in no bracket of it; empty parts are left out. */
export function splitRange(code: Code, range: Range, symbol: string): Range[] {
  const parts: Range[] = [];
  let from = range.from;
  for (let index = range.from; index < range.to; index = skipToken(code, index)) {
    if (code.tokens[index]?.text !== symbol) continue;
    parts.push({ from, to: index });
    from = index + 1;
  }
  return [...parts, { from, to: range.to }].filter((part) => part.to > part.from);
}

/** The tokens of a range that stand in no bracket of it, with their index. */
export function outerTokens(code: Code, range: Range): { token: Token; index: number }[] {
  const found: { token: Token; index: number }[] = [];
  for (let index = range.from; index < range.to; index = skipToken(code, index)) {
    const token = code.tokens[index];
    if (token !== undefined) found.push({ token, index });
  }
  return found;
}

/** Where the statement ends that has begun before a token: at a semicolon, a closing bracket or the end of a line. */
export function statementEnd(code: Code, from: number): number {
  const { tokens } = code;
  let index = from;
  for (let step = 0; step < stepsMax && index < tokens.length; step += 1) {
    const token = tokens[index];
    const before = tokens[index - 1];
    if (token === undefined || token.text === ";" || /^[)\]}]$/.test(token.text)) return index;
    const isNewLine = index > from && before !== undefined && token.line > lastLine(before);
    if (isNewLine && !continues.test(before.text) && !continued.test(token.text)) return index;
    index = skipToken(code, index);
  }
  return Math.min(index, tokens.length);
}

/** No statement of people has more tokens outside of brackets; so files of unclosed brackets are read in linear time. */
export const stepsMax = 500;

/** The line on which a token ends. */
export function lastLine(token: Token): number {
  return token.kind === "string" || token.kind === "opaque"
    ? token.line + token.text.split("\n").length - 1
    : token.line;
}

const continues = /^(?:[-+*/%=<>&|^?:.,!~]|[=!<>]=+|&&|\|\||\?\?|=>|:=|and|or|not|in|is)$/;
const continued = /^(?:\.|\?\.|&&|\|\||\?\?|\?|:|[+*/%=<>|^]|[=!<>]=+|and|or)$/;

/** An assertion that was found: its change, and the index of the token after it. */
export type Found = { edit: Edit | null; to: number };

/** Asks at every token for an assertion; nothing inside a found one is asked again, so each token is read once. */
export function collectEdits(code: Code, find: (index: number) => Found | null): Edit[] {
  const edits: Edit[] = [];
  let index = 0;
  while (index < code.tokens.length) {
    const found = find(index);
    if (found?.edit != null) edits.push(found.edit);
    index = found === null ? index + 1 : Math.max(found.to, index + 1);
  }
  return edits;
}
