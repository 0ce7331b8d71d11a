/** Where things stand in a JSON text, counted from line 1. */
export type JsonScan = {
  /** The first thing that is not JSON, or null. The sentence says what to do about it. */
  fault: { line: number; column: number; sentence: string } | null;
  /** The line of a key or an element; of keys given twice the last one, which counts. */
  lineOf(path: readonly PropertyKey[]): number | null;
};

/** Reads a JSON text for positions only: `JSON.parse` says neither where a key stands nor always where it failed. */
export function scanJson(text: string): JsonScan {
  const cursor: Cursor = { tokens: tokensOf(text), next: 0, found: new Map() };
  const fault = scanDocument(cursor);
  return {
    fault: fault === null ? null : { ...placeOf(text, fault.at), sentence: fault.sentence },
    lineOf(path) {
      const at = cursor.found.get(path.map(String).join(separator));
      return at === undefined ? null : placeOf(text, at).line;
    },
  };
}

type Token = { text: string; at: number };
type Fault = { at: number; sentence: string };
type Cursor = { tokens: Token[]; next: number; found: Map<string, number> };

/** Settings have four levels; a text nested deeper than this is a mistake or an attack on the stack. */
const depthMax = 100;
const separator = "\u0000";
const tokenShape = /"(?:\\.|[^"\\\n])*"|[{}[\],:]|\/\/[^\n]*|\/\*[^]*?\*\/|[^\s{}[\],:"]+|"[^\n]*/g;
const literalShape = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function tokensOf(text: string): Token[] {
  const tokens = [...text.matchAll(tokenShape)].map((match) => ({ text: match[0], at: match.index }));
  return [...tokens, { text: "", at: text.length }];
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function scanDocument(cursor: Cursor): Fault | null {
  if (peek(cursor).text === "") return { at: 0, sentence: "the file is empty; write {} or remove it" };
  const fault = scanValue(cursor, []);
  if (fault !== null) return fault;
  const rest = peek(cursor);
  return rest.text === "" ? null : { at: rest.at, sentence: `nothing may follow the settings, found ${shown(rest)}` };
}

function scanValue(cursor: Cursor, path: readonly string[]): Fault | null {
  const token = take(cursor);
  if (path.length > depthMax) return { at: token.at, sentence: "it is nested too deep" };
  if (token.text === "{") return scanList(cursor, path, "}");
  if (token.text === "[") return scanList(cursor, path, "]");
  if (isText(token) || literalShape.test(token.text)) return null;
  return { at: token.at, sentence: token.text === "" ? "the file ends too early" : valueFault(token) };
}

/** The inside of an object or a list, to its closing bracket. */
function scanList(cursor: Cursor, path: readonly string[], end: "}" | "]"): Fault | null {
  if (peek(cursor).text === end) return skip(cursor);
  for (let index = 0; ; index++) {
    const fault = end === "}" ? scanEntry(cursor, path) : scanElement(cursor, path, index);
    if (fault !== null) return fault;
    const mark = take(cursor);
    if (mark.text === end) return null;
    if (mark.text !== ",") return { at: mark.at, sentence: markFault(mark, end) };
    if (peek(cursor).text === end) return { at: mark.at, sentence: `remove the comma before ${end}` };
  }
}

function scanEntry(cursor: Cursor, path: readonly string[]): Fault | null {
  const key = take(cursor);
  if (key.text === "") return { at: key.at, sentence: "the file ends before }" };
  if (!isText(key))
    return { at: key.at, sentence: noComment(key) ?? `a key stands in double quotes, found ${shown(key)}` };
  const inner = [...path, String(JSON.parse(key.text))];
  cursor.found.set(inner.join(separator), key.at);
  const colon = take(cursor);
  if (colon.text !== ":")
    return { at: colon.at, sentence: `a colon is missing after ${key.text}, found ${shown(colon)}` };
  return scanValue(cursor, inner);
}

function scanElement(cursor: Cursor, path: readonly string[], index: number): Fault | null {
  const inner = [...path, String(index)];
  cursor.found.set(inner.join(separator), peek(cursor).at);
  return scanValue(cursor, inner);
}

function valueFault(token: Token): string {
  if (token.text.startsWith('"')) return "a text is not closed with a double quote, or holds a character to be escaped";
  return noComment(token) ?? `expected a value, found ${shown(token)}; texts stand in double quotes`;
}

function markFault(token: Token, end: string): string {
  if (token.text === "") return `the file ends before ${end}`;
  return noComment(token) ?? `a comma or ${end} is missing before ${shown(token)}`;
}

function noComment(token: Token): string | null {
  return /^\/[/*]/.test(token.text) ? "JSON has no comments; remove it" : null;
}

function isText(token: Token): boolean {
  if (!/^".*"$/s.test(token.text)) return false;
  try {
    return typeof JSON.parse(token.text) === "string";
  } catch {
    // A bad escape or a control character.
    return false;
  }
}

function shown({ text }: Token): string {
  if (text === "") return "the end of the file";
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

function peek(cursor: Cursor): Token {
  return cursor.tokens[cursor.next] ?? { text: "", at: 0 };
}

function take(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.next = Math.min(cursor.next + 1, cursor.tokens.length - 1);
  return token;
}

function skip(cursor: Cursor): null {
  take(cursor);
  return null;
}
