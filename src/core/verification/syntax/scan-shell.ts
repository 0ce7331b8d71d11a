/** A word or an operator of a shell script; what is substituted inside a word is part of it. */
export type ShellToken = {
  kind: "word" | "operator";
  text: string;
  from: number;
  to: number;
  line: number;
  /** Whether the shell replaces a part of it: a variable, a command or a pattern without quotes. */
  isExpanded: boolean;
};

/** The words and operators of a shell script, in linear time. Comments and here-documents are left out; total on any text. */
export function scanShell(text: string): ShellToken[] {
  const scan: Scan = { text, at: 0, line: 1, tokens: [], heredocs: [] };
  while (scan.at < text.length) readNext(scan);
  return scan.tokens;
}

type Scan = { text: string; at: number; line: number; tokens: ShellToken[]; heredocs: string[] };

function readNext(scan: Scan): void {
  const { text, at } = scan;
  const character = text[at] ?? "";
  if (character === "\n") {
    push(scan, at + 1, "operator");
    scan.line += 1;
    skipHeredocs(scan);
  } else if (/\s/.test(character)) scan.at += 1;
  else if (character === "\\" && text[at + 1] === "\n") {
    scan.at += 2;
    scan.line += 1;
  } else if (character === "#") scan.at = lineEnd(text, at);
  else if (text.startsWith("<<", at) && text[at + 2] !== "<") readHeredoc(scan);
  else if (/[;&|()<>]/.test(character)) {
    operator.lastIndex = at;
    push(scan, at + (operator.exec(text)?.[0].length ?? 1), "operator");
  } else readWord(scan);
}

const operator = /;;|&&|\|\||<<<|>>|[<>]&|&>|[;&|()<>]/y;

function readHeredoc(scan: Scan): void {
  const found = /^<<-?\s*(["'\\]?)([\w.-]+)/.exec(scan.text.slice(scan.at, scan.at + 100));
  if (found?.[2] !== undefined) scan.heredocs.push(found[2]);
  scan.at += found === null ? 2 : found[0].length + (/["']/.test(found[1] ?? "") ? 1 : 0);
}

function skipHeredocs(scan: Scan): void {
  for (const word of scan.heredocs.splice(0)) {
    let isOver = false;
    while (!isOver && scan.at < scan.text.length) {
      const end = lineEnd(scan.text, scan.at);
      isOver = scan.text.slice(scan.at, Math.min(end, scan.at + 120)).trim() === word;
      scan.at = Math.min(end + 1, scan.text.length);
      scan.line += 1;
    }
  }
}

function readWord(scan: Scan): void {
  const { text } = scan;
  let at = scan.at;
  let isExpanded = false;
  while (at < text.length && !/[\s;&|()<>]/.test(text[at] ?? "")) {
    const character = text[at] ?? "";
    isExpanded ||= /[$`*?~]/.test(character);
    if (character === "\\") at += 2;
    else if (character === "'") at = closing(text, at, "'");
    else if (character === '"') {
      const end = doubleQuoteEnd(text, at);
      isExpanded ||= /[$`]/.test(text.slice(at, end));
      at = end;
    } else if (character === "`") at = closing(text, at, "`");
    else if (character === "$" && /[({]/.test(text[at + 1] ?? "")) at = substitutionEnd(text, at);
    else at += 1;
  }
  push(scan, Math.min(Math.max(at, scan.at + 1), text.length), "word", isExpanded);
}

function push(scan: Scan, to: number, kind: ShellToken["kind"], isExpanded = false): void {
  const text = scan.text.slice(scan.at, to);
  scan.tokens.push({ kind, text, from: scan.at, to, line: scan.line, isExpanded });
  if (kind === "word") scan.line += text.split("\n").length - 1;
  scan.at = to;
}

function closing(text: string, at: number, mark: string): number {
  const end = text.indexOf(mark, at + 1);
  return end === -1 ? text.length : end + 1;
}

function doubleQuoteEnd(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') {
    if (text[index] === "\\") index += 2;
    else if (text[index] === "$" && text[index + 1] === "(") index = substitutionEnd(text, index);
    else index += 1;
  }
  return Math.min(index + 1, text.length);
}

/** The end of `$(…)` or `${…}`: brackets of the same kind are counted, single quotes are skipped. */
function substitutionEnd(text: string, at: number): number {
  const open = text[at + 1] ?? "(";
  const close = open === "(" ? ")" : "}";
  let depth = 0;
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === "'" && open === "(") index = closing(text, index, "'") - 1;
    else if (character === open) depth += 1;
    else if (character === close) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
