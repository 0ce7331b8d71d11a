import type { Language } from "./language.ts";
import { matchAt, scanText, type Scanned } from "./scan-text.ts";

/** One piece of code. Comments and white space are no tokens. */
export type Token = {
  kind: "word" | "number" | "string" | "regex" | "symbol" | "opaque";
  text: string;
  from: number;
  to: number;
  line: number;
  /** The index of the bracket that belongs to this one; -1 for other tokens and for brackets without a partner. */
  partner: number;
  /** The length of what closes a string; 0 when text cannot be added before its end. */
  tail: number;
};

/** The tokens of a text, in linear time. Total: whatever cannot be read is a symbol or opaque. */
export function scanTokens(text: string, language: Language): Token[] {
  const scan: Scan = { text, language, at: 0, line: 1, tokens: [], heredocs: [], regexFrom: 0 };
  while (scan.at < text.length) {
    const from = scan.at;
    if (!skipSpace(scan) && !skipComment(scan)) readToken(scan);
    if (scan.at <= from) scan.at = from + 1;
  }
  matchBrackets(scan.tokens);
  return scan.tokens;
}

type Scan = {
  text: string;
  language: Language;
  at: number;
  line: number;
  tokens: Token[];
  /** The words that end the here-documents which begin after this line. */
  heredocs: string[];
  /** No expression of JavaScript or Ruby begins before this place: one was looked for and had no end. */
  regexFrom: number;
};

function skipSpace(scan: Scan): boolean {
  if (scan.text[scan.at] === "\n") {
    scan.at += 1;
    scan.line += 1;
    if (scan.heredocs.length > 0) skipHeredocs(scan);
    return true;
  }
  const space = matchAt(/[^\S\n]+|\\\r?\n/y, scan.text, scan.at);
  if (space === null) return false;
  moveTo(scan, scan.at + space.length);
  return true;
}

function skipComment(scan: Scan): boolean {
  const { text, at, language } = scan;
  const isLineStart = at === 0 || text[at - 1] === "\n";
  if (language === "ruby" && isLineStart && text.startsWith("=begin", at)) {
    const end = text.indexOf("\n=end", at);
    moveTo(scan, end === -1 ? text.length : end + 5);
    return true;
  }
  if (language === "ruby" && isLineStart && /^__END__\r?(?:\n|$)/.test(text.slice(at, at + 10))) {
    moveTo(scan, text.length);
    return true;
  }
  if (language === "python" || language === "ruby") {
    if (text[at] !== "#") return false;
    scan.at = lineEnd(text, at);
    return true;
  }
  if (language === "c" && text[at] === "#" && scan.tokens.at(-1)?.line !== scan.line) {
    moveTo(scan, directiveEnd(text, at));
    return true;
  }
  if (text.startsWith("//", at) || (at === 0 && text.startsWith("#!") && text[2] !== "[")) {
    scan.at = lineEnd(text, at);
    return true;
  }
  if (!text.startsWith("/*", at)) return false;
  moveTo(scan, blockEnd(text, at, language === "rust" || language === "kotlin"));
  return true;
}

function blockEnd(text: string, at: number, isNested: boolean): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at + 2;
  let depth = 1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "*/") depth -= 1;
    else if (isNested) depth += 1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** A directive of the preprocessor ends with its line, or with the last line that a backslash continues. */
function directiveEnd(text: string, at: number): number {
  let end = lineEnd(text, at);
  while (end < text.length && /\\\r?$/.test(text.slice(Math.max(at, end - 2), end))) end = lineEnd(text, end + 1);
  return end;
}

function readToken(scan: Scan): void {
  const { text, at, language } = scan;
  const heredoc = language === "ruby" ? matchAt(/<<[~-]?(["'`]?)[A-Z_]\w*\1/y, text, at) : null;
  if (heredoc !== null) {
    scan.heredocs.push(heredoc.replaceAll(/[<~"'`-]/g, ""));
    push(scan, { kind: "opaque", to: at + heredoc.length, tail: 0 });
    return;
  }
  const found = scanText(text, at, language) ?? scanRegex(scan);
  if (found !== null) {
    push(scan, found);
    return;
  }
  const number = matchAt(/(?:\d|\.\d)(?:[\w]|\.(?!\.)(?=[\w]|(?![\w.]))|(?<=[eE])[+-](?=\d))*/y, text, at);
  if (number !== null) {
    push(scan, { kind: "number", to: at + numberLength(number), tail: 0 });
    return;
  }
  const word = matchAt(/[@$]{0,2}[\p{L}_$][\p{L}\p{N}_$]*/uy, text, at);
  const symbol = word ?? matchAt(symbols, text, at) ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
  push(scan, { kind: word === null ? "symbol" : "word", to: at + symbol.length, tail: 0 });
}

/** `3.to_s`, `1.max(2)` and `0.1` begin alike: what follows a point is of the number only when it is a digit. */
function numberLength(found: string): number {
  const method = /^\d[\d_]*\.(?=[A-Za-df-z_])|^\d[\d_]*\.(?=e[A-Za-z_])/.exec(found);
  return method === null ? found.length : method[0].length - 1;
}

function scanRegex(scan: Scan): Scanned | null {
  const { text, at, language, tokens } = scan;
  if (text[at] !== "/" || (language !== "javascript" && language !== "ruby") || at < scan.regexFrom) return null;
  if (!mayBeginRegex(tokens.at(-1), language, /\s/.test(text[at + 1] ?? " "))) return null;
  let isInClass = false;
  for (let index = at + 1; index < text.length && text[index] !== "\n"; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === "[") isInClass = true;
    else if (text[index] === "]") isInClass = false;
    else if (text[index] === "/" && !isInClass) {
      const flags = matchAt(/[a-z]*/y, text, index + 1) ?? "";
      return { kind: "regex", to: index + 1 + flags.length, tail: flags.length + 1 };
    }
  }
  scan.regexFrom = lineEnd(text, at);
  return null;
}

function mayBeginRegex(before: Token | undefined, language: Language, isSpaced: boolean): boolean {
  if (before === undefined) return true;
  if (before.kind === "symbol") return !/^[)\]}]$/.test(before.text);
  if (before.kind !== "word") return false;
  if (language === "ruby") return !isSpaced && /^[a-z_]+[?!]?$/.test(before.text);
  return /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/.test(before.text);
}

function push(scan: Scan, { kind, to, tail }: { kind: Token["kind"]; to: number; tail: number }): void {
  const { text, at, line } = scan;
  scan.tokens.push({ kind, text: text.slice(at, to), from: at, to, line, partner: -1, tail });
  if (kind === "word" || kind === "number" || kind === "symbol") scan.at = to;
  else moveTo(scan, to);
}

function moveTo(scan: Scan, to: number): void {
  for (let at = scan.at; at < to; at += 1) if (scan.text[at] === "\n") scan.line += 1;
  scan.at = to;
}

function skipHeredocs(scan: Scan): void {
  for (const word of scan.heredocs) {
    let isOver = false;
    while (!isOver && scan.at < scan.text.length) {
      const end = lineEnd(scan.text, scan.at);
      isOver = scan.text.slice(scan.at, Math.min(end, scan.at + 200)).trim() === word;
      moveTo(scan, Math.min(end + 1, scan.text.length));
    }
  }
  scan.heredocs = [];
}

function matchBrackets(tokens: Token[]): void {
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "symbol") continue;
    if (/^[([{]$/.test(token.text)) open.push(index);
    const opening = closings.get(token.text);
    const last = tokens[open.at(-1) ?? -1];
    if (opening === undefined || last?.text !== opening) continue;
    token.partner = open.pop() ?? -1;
    last.partner = index;
  }
}

const closings = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

const symbols =
  /===|!==|\*\*=|<=>|\.\.\.|\.\.=|&&=|\|\|=|\?\?=|==|!=|<=|>=|=>|->|<-|&&|\|\||\?\?|\?\.|::|:=|\.\.|\+\+|--|[-+*/%&|^]=|=~|!~|\*\*/y;
