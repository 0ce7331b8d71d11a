/**
 * A part of a TOML text: the header of a table, or one `key = value`, with the blank lines and comments before it. `path` is
 * complete: the keys of the table and its own. The texts of all parts together are the whole text.
 */
export type TomlStatement = {
  kind: "header" | "pair" | "rest";
  path: readonly string[];
  /** Of the table that it stands in; empty before the first header. */
  table: readonly string[];
  text: string;
};

/** Cuts a TOML text into statements. What it cannot read is `rest`, so that nothing is lost. */
export function readTomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  let before = "";
  for (let at = 0; at < text.length;) {
    const end = statementEnd(text, at);
    const part = text.slice(at, end);
    at = end;
    const line = part.trim();
    if (line === "" || line.startsWith("#")) {
      before += part;
      continue;
    }
    const header = /^\[\[?([^\]]*)\]\]?/.exec(line);
    const keys = readKeys(header === null ? line : (header[1] ?? ""));
    if (header !== null) table = keys;
    const path = header === null ? [...table, ...keys] : keys;
    const known = header === null ? "pair" : "header";
    statements.push({ kind: keys.length === 0 ? "rest" : known, path, table, text: before + part });
    before = "";
  }
  return before === "" ? statements : [...statements, { kind: "rest", path: [], table, text: before }];
}

/** The keys before `=`, or of a header: bare, quoted and dotted. */
function readKeys(text: string): string[] {
  const keys: string[] = [];
  const key = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(\.?)/y;
  for (let match = key.exec(text); match !== null; match = key.exec(text)) {
    keys.push(match[1] === undefined ? (match[2] ?? match[3] ?? "") : decoded(match[1]));
    if (match[4] !== ".") break;
  }
  return keys;
}

/** A key may be spelled with escapes: `"t\\u006fol"` is `tool`. */
function decoded(key: string): string {
  return key.replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g, (_, short, long, letter: string) => {
    const code = Number.parseInt(String(short ?? long), 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (letter ?? "");
  });
}

/** Where a statement ends: at a line's end outside of strings, arrays and inline tables. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "\n" && depth <= 0) return at + 1;
    if (letter === "#") at = lineEnd(text, at) - 1;
    else if (letter === '"' || letter === "'") at = stringEnd(text, at) - 1;
    else if (letter === "[" || letter === "{") depth += 1;
    else if (letter === "]" || letter === "}") depth -= 1;
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function stringEnd(text: string, from: number): number {
  const quote = text.charAt(from);
  const isLong = text.startsWith(quote.repeat(3), from);
  const closing = isLong ? quote.repeat(3) : quote;
  for (let at = from + closing.length; at < text.length; at++) {
    if (quote === '"' && text.charAt(at) === "\\") at += 1;
    else if (!isLong && text.charAt(at) === "\n") return at;
    else if (text.startsWith(closing, at)) return at + closing.length;
  }
  return text.length;
}
