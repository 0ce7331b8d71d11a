import { decodeAnsi } from "./decode-ansi.ts";
import { fail, isAtEnd, looksAt, nested, openCursor, peek, take, textPart, type Cursor } from "./cursor.ts";
import type { Part, Script, Word } from "./script.ts";

/** Parses a nested command list; a parameter, because words and commands contain each other. */
export type ReadScript = (cursor: Cursor, closing: string) => Script;

/** Reads one word; an empty list when no word begins here. */
export function parseWord(cursor: Cursor, readScript: ReadScript): Word {
  return readParts(cursor, readScript, (next) => next === "" || metacharacters.has(next));
}

/** Reads text in which only expansions mean something: the body of a heredoc. */
export function parseHeredocBody(cursor: Cursor, readScript: ReadScript): Word {
  return readQuoted(cursor, readScript, "");
}

function readParts(cursor: Cursor, readScript: ReadScript, isStop: (next: string) => boolean): Word {
  const parts: Part[] = [];
  while (!isAtEnd(cursor)) {
    const plain = take(cursor, plainRun);
    if (plain !== null) parts.push(textPart(plain, false));
    const next = peek(cursor);
    if (isProcessSubstitution(cursor)) {
      cursor.at += 2;
      parts.push({ type: "process", script: nested(cursor, () => readScript(cursor, ")"), []) });
      continue;
    }
    if (next === "(" && isExtendedGlob(parts)) {
      parts.push(textPart(takeBalanced(cursor), false));
      continue;
    }
    if (isStop(next)) break;
    parts.push(...readPart(cursor, readScript, next));
  }
  return parts;
}

function isProcessSubstitution(cursor: Cursor): boolean {
  return looksAt(cursor, "<(") || looksAt(cursor, ">(");
}

function isExtendedGlob(parts: readonly Part[]): boolean {
  const last = parts.at(-1);
  return last?.type === "text" && !last.isQuoted && /[?*+@!]$/.test(last.text);
}

function takeBalanced(cursor: Cursor): string {
  const start = cursor.at;
  let depth = 0;
  while (!isAtEnd(cursor)) {
    const next = peek(cursor);
    cursor.at += 1;
    if (next === "(") depth += 1;
    if (next === ")") depth -= 1;
    if (depth === 0) return cursor.text.slice(start, cursor.at);
  }
  fail(cursor, "a bracket is not closed");
  return "";
}

/** One quoted piece, expansion or single character that is not plain. */
function readPart(cursor: Cursor, readScript: ReadScript, next: string): Part[] {
  if (next === "\\") return readEscape(cursor);
  if (next === "'") return [textPart(takeUntil(cursor, "'"), true)];
  if (next === '"') {
    cursor.at += 1;
    return [textPart("", true), ...readQuoted(cursor, readScript, '"')];
  }
  if (next === "`") return [readBackticks(cursor, readScript, false)];
  if (looksAt(cursor, "$'")) {
    cursor.at += 1;
    return [textPart(decodeAnsi(takeUntil(cursor, "'", true)), true)];
  }
  if (looksAt(cursor, '$"')) {
    cursor.at += 2;
    return [textPart("", true), ...readQuoted(cursor, readScript, '"')];
  }
  if (next === "$") return [readDollar(cursor, readScript, false)];
  cursor.at += 1;
  return [textPart(next, false)];
}

function readEscape(cursor: Cursor): Part[] {
  const escaped = peek(cursor, 1);
  cursor.at += 2;
  return escaped === "\n" || escaped === "" ? [] : [textPart(escaped, true)];
}

function takeUntil(cursor: Cursor, quote: string, hasEscapes = false): string {
  const start = cursor.at + 1;
  for (cursor.at = start; cursor.at < cursor.text.length; cursor.at += 1) {
    if (hasEscapes && peek(cursor) === "\\") cursor.at += 1;
    else if (peek(cursor) === quote) {
      cursor.at += 1;
      return cursor.text.slice(start, cursor.at - 1);
    }
  }
  fail(cursor, "a quote is not closed");
  return "";
}

/** Reads up to the closing quote, or to the end without one. */
function readQuoted(cursor: Cursor, readScript: ReadScript, closing: string): Word {
  const parts: Part[] = [];
  while (!isAtEnd(cursor)) {
    const plain = take(cursor, quotedRun);
    if (plain !== null) parts.push(textPart(plain, true));
    const next = peek(cursor);
    if (next === "") break;
    if (closing !== "" && next === closing) {
      cursor.at += 1;
      return parts;
    }
    if (next === "\\") parts.push(readQuotedEscape(cursor));
    else if (next === "$") parts.push(readDollar(cursor, readScript, true));
    else if (next === "`") parts.push(readBackticks(cursor, readScript, true));
    else {
      cursor.at += 1;
      parts.push(textPart(next, true));
    }
  }
  if (closing !== "") fail(cursor, "a quote is not closed");
  return parts;
}

function readQuotedEscape(cursor: Cursor): Part {
  const escaped = peek(cursor, 1);
  cursor.at += 2;
  if (escaped === "\n") return textPart("", true);
  return textPart(/[$`"\\]/.test(escaped) ? escaped : `\\${escaped}`, true);
}

function readBackticks(cursor: Cursor, readScript: ReadScript, isQuoted: boolean): Part {
  const body = takeUntil(cursor, "`", true).replaceAll(/\\([$`\\])/g, "$1");
  const inner = openCursor(body, cursor.budget);
  return { type: "command", script: nested(cursor, () => readScript(inner, ""), []), isQuoted };
}

/** `$(..)`, `$((..))`, `${..}`, `$name`, or a dollar that means itself. */
function readDollar(cursor: Cursor, readScript: ReadScript, isQuoted: boolean): Part {
  if (looksAt(cursor, "$((")) {
    const arithmetic = readArithmetic(cursor, readScript);
    if (arithmetic !== null) return arithmetic;
  }
  if (looksAt(cursor, "$(")) {
    cursor.at += 2;
    return { type: "command", script: nested(cursor, () => readScript(cursor, ")"), []), isQuoted };
  }
  if (looksAt(cursor, "${")) return nested(cursor, () => readBraces(cursor, readScript, isQuoted), textPart("", true));
  cursor.at += 1;
  const name = take(cursor, shortName);
  if (name === null) return textPart("$", true);
  return { type: "parameter", name, index: "", operator: "", argument: [], isQuoted };
}

/** Null when the two brackets turn out to begin a subshell; the cursor is then back at its start. */
function readArithmetic(cursor: Cursor, readScript: ReadScript): Part | null {
  const start = cursor.at;
  cursor.at += 3;
  const inner: Part[] = [];
  let depth = 0;
  while (!isAtEnd(cursor)) {
    if (depth === 0 && looksAt(cursor, "))")) {
      cursor.at += 2;
      return { type: "arithmetic", inner };
    }
    const next = peek(cursor);
    if (next === ")" && depth === 0) break;
    if (next === "(") depth += 1;
    if (next === ")") depth -= 1;
    const name = take(cursor, /[A-Za-z_]\w*/y);
    if (name !== null) inner.push({ type: "parameter", name, index: "", operator: "", argument: [], isQuoted: true });
    else if (next === "$" || next === "`") inner.push(...readPart(cursor, readScript, next));
    else cursor.at += 1;
  }
  if (cursor.budget.failure === null) cursor.at = start;
  return null;
}

function readBraces(cursor: Cursor, readScript: ReadScript, isQuoted: boolean): Part {
  cursor.at += 2;
  const prefix = take(cursor, /[#!](?=[\w@*?$!#-])/y) ?? "";
  const name = take(cursor, longName) ?? "";
  if (name === "" && prefix === "") fail(cursor, "an expansion has no name");
  const index = take(cursor, /\[[^\]]*\]/y) ?? "";
  const operator = take(cursor, expansionOperator) ?? "";
  const argument = readParts(cursor, readScript, (next) => next === "}" || next === "");
  if (peek(cursor) === "}") cursor.at += 1;
  else fail(cursor, "an expansion is not closed");
  const isLone = name === "";
  return {
    type: "parameter",
    name: isLone ? prefix : name,
    index,
    operator: isLone ? operator : prefix + operator,
    argument,
    isQuoted,
  };
}

const metacharacters = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);
const plainRun = /[^\s;&|<>()\\'"`$}]+/y;
const quotedRun = /[^\\$`"]+/y;
const shortName = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
const longName = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;
const expansionOperator = /:?[-=?+]|##?|%%?|\/\/?|\^\^?|,,?|@[A-Za-z]|:/y;
