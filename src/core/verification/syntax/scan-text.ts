import type { Language } from "./language.ts";

/** Where a literal with delimiters ends; `tail` is the length of what closes it, 0 for one that cannot be extended. */
export type Scanned = { kind: "string" | "regex" | "opaque"; to: number; tail: number };

/** The string or character that begins at a place; null when none begins there. Reads each character a bounded number of times. */
export function scanText(text: string, at: number, language: Language): Scanned | null {
  return scanners[language](text, at);
}

/** The end of a template literal of JavaScript with everything that is interpolated; the length of the text when it never ends. */
export function templateEnd(text: string, at: number): number {
  const open: ("`" | "{")[] = ["`"];
  let index = at + 1;
  while (index < text.length && open.length > 0) {
    const next = text[index];
    const isInText = open.at(-1) === "`";
    if (next === "\\") index += 1;
    else if (next === "`") {
      if (isInText) open.pop();
      else open.push("`");
    } else if (isInText && next === "$" && text[index + 1] === "{") {
      open.push("{");
      index += 1;
    } else if (!isInText && next === "{") open.push("{");
    else if (!isInText && next === "}") open.pop();
    index += 1;
  }
  return Math.min(index, text.length);
}

const scanners: Record<Language, (text: string, at: number) => Scanned | null> = {
  javascript: (text, at) => {
    if (text[at] !== "`") return quoted(text, at, "'\"");
    const to = templateEnd(text, at);
    return { kind: "string", to, tail: to - at > 1 && text[to - 1] === "`" ? 1 : 0 };
  },
  python: (text, at) => {
    const prefix = matchAt(/(?:[rbuft]|rb|br|fr|rf|tr|rt)?(?=["'])/iy, text, at);
    if (prefix === null) return null;
    const start = at + prefix.length;
    const mark = text.slice(start, start + 3);
    return mark === '"""' || mark === "'''" ? until(text, start, mark) : quoted(text, start, "'\"");
  },
  go: (text, at) => (text[at] === "`" ? raw(text, at + 1, "`") : (quoted(text, at, '"') ?? character(text, at))),
  rust: (text, at) => {
    const opening = matchAt(/[bc]?r(#*)"/y, text, at);
    if (opening !== null) return raw(text, at + opening.length, `"${"#".repeat(opening.split("#").length - 1)}`);
    const start = /[bc]/.test(text[at] ?? "") ? at + 1 : at;
    return text[start] === '"' ? until(text, start, '"') : character(text, start);
  },
  c: (text, at) => {
    const opening = matchAt(/(?:u8|[uUL])?R"[^()\\\s"]{0,16}\(/y, text, at);
    if (opening !== null) return raw(text, at + opening.length, `)${opening.slice(opening.indexOf('"') + 1, -1)}"`);
    const start = at + (matchAt(/(?:u8|[uUL])(?=["'])/y, text, at)?.length ?? 0);
    return quoted(text, start, '"') ?? character(text, start);
  },
  java: (text, at) => scanJvm(text, at),
  kotlin: (text, at) => scanJvm(text, at),
  ruby: (text, at) => {
    const opening = matchAt(/%[qQwWiI]?[([{<|!]/y, text, at);
    if (opening !== null) return percent(text, at + opening.length, opening.at(-1) ?? "");
    const quote = text[at] ?? "";
    return "'\"`".includes(quote) && quote !== "" ? until(text, at, quote) : null;
  },
};

function scanJvm(text: string, at: number): Scanned | null {
  if (text.startsWith('"""', at)) return until(text, at, '"""');
  return quoted(text, at, '"') ?? character(text, at);
}

/** A string on one line. Without an end the rest of the line is opaque; so a quote is looked for once only. */
function quoted(text: string, at: number, quotes: string): Scanned | null {
  const quote = text[at];
  if (quote === undefined || !quotes.includes(quote)) return null;
  let index = at + 1;
  while (index < text.length && text[index] !== quote && text[index] !== "\n") index += text[index] === "\\" ? 2 : 1;
  if (text[index] === quote) return { kind: "string", to: index + 1, tail: 1 };
  // An apostrophe in the text of markup.
  if (/\w/.test(text[at - 1] ?? "")) return null;
  return { kind: "opaque", to: Math.min(index, text.length), tail: 0 };
}

/** A string over several lines in which a backslash escapes. */
function until(text: string, at: number, mark: string): Scanned {
  let index = at + mark.length;
  while (index < text.length && !text.startsWith(mark, index)) index += text[index] === "\\" ? 2 : 1;
  if (index >= text.length) return { kind: "opaque", to: text.length, tail: 0 };
  return { kind: "string", to: index + mark.length, tail: mark.length };
}

/** A string in which nothing escapes. */
function raw(text: string, from: number, mark: string): Scanned {
  const end = text.indexOf(mark, from);
  if (end === -1) return { kind: "opaque", to: text.length, tail: 0 };
  return { kind: "string", to: end + mark.length, tail: mark.length };
}

/** A character in quotes; a lone quote, as of a lifetime, is none. It cannot be extended, only replaced. */
function character(text: string, at: number): Scanned | null {
  if (text[at] !== "'") return null;
  const found = matchAt(/'(?:\\(?:u\{[^}'\n]{0,8}\}|[^\n][\w]{0,8})|[^'\\\n]{1,2})'/y, text, at);
  return found === null ? null : { kind: "string", to: at + found.length, tail: 0 };
}

function percent(text: string, from: number, opening: string): Scanned {
  const closing = pairs.get(opening) ?? opening;
  let depth = 1;
  let index = from;
  for (; index < text.length && depth > 0; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === closing) depth -= 1;
    else if (text[index] === opening) depth += 1;
  }
  return depth > 0 ? { kind: "opaque", to: text.length, tail: 0 } : { kind: "string", to: index, tail: 1 };
}

const pairs = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** What a sticky expression matches at a place; null when it does not. */
export function matchAt(expression: RegExp, text: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}
