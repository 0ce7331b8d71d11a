import {
  fail,
  isAtEnd,
  looksAt,
  nested,
  openCursor,
  peek,
  take,
  textPart,
  type Budget,
  type Cursor,
} from "./cursor.ts";
import { parseRedirect, readHeredocs } from "./parse-redirect.ts";
import { parseWord } from "./parse-word.ts";
import type { Assignment, Command, Pipeline, Redirect, Script, Word } from "./script.ts";

/** A parsed command line, or why it could not be read. */
export type Parsed = { script: Script; failure: string | null };

/** Parses a command line as bash would. Never throws; a failure has a reason. */
export function parseScript(text: string, budget: Budget): Parsed {
  const script = readScript(openCursor(text, budget), "");
  return { script, failure: budget.failure };
}

/** Parses a list up to and including a closing text, or to the end without one. */
function readScript(cursor: Cursor, closing: string): Script {
  const script = readList(cursor, () => closing !== "" && looksAt(cursor, closing));
  if (closing === "") {
    if (cursor.budget.failure === null && cursor.at < cursor.text.length) fail(cursor, `unexpected ${peek(cursor)}`);
    return script;
  }
  if (looksAt(cursor, closing)) cursor.at += closing.length;
  else fail(cursor, `${closing} is missing`);
  return script;
}

function readList(cursor: Cursor, isClosing: () => boolean): Script {
  const pipelines: Pipeline[] = [];
  skipBreaks(cursor);
  while (!isAtEnd(cursor) && !isClosing()) {
    const before = cursor.at;
    const commands = readPipeline(cursor);
    skipSpace(cursor);
    const isBackground = peek(cursor) === "&" && peek(cursor, 1) !== "&";
    if (commands.length > 0) pipelines.push({ commands, isBackground });
    const hasSeparator = !looksAt(cursor, ";;") && take(cursor, /&&|\|\||[;&]/y) !== null;
    const hasBreak = peek(cursor) === "\n";
    skipBreaks(cursor);
    if (hasSeparator || hasBreak || isAtEnd(cursor) || isClosing()) continue;
    fail(cursor, cursor.at === before ? `unexpected ${peek(cursor)}` : `unexpected ${peek(cursor)} after a command`);
  }
  return pipelines;
}

function readPipeline(cursor: Cursor): Command[] {
  const commands: Command[] = [];
  while (take(cursor, /(?:!(?=\s)|time(?:[ \t]+-p)?(?=\s))[ \t]*/y) !== null) skipSpace(cursor);
  do {
    skipBreaks(cursor);
    const command = nested(cursor, () => readCommand(cursor), null);
    if (command !== null) commands.push(command);
    skipSpace(cursor);
  } while (!looksAt(cursor, "||") && take(cursor, /\|&?/y) !== null);
  return commands;
}

function readCommand(cursor: Cursor): Command | null {
  if (looksAt(cursor, "((")) {
    const arithmetic = readArithmeticCommand(cursor);
    if (arithmetic !== null) return arithmetic;
  }
  if (peek(cursor) === "(") {
    cursor.at += 1;
    const body = readScript(cursor, ")");
    return { type: "group", isSubshell: true, body, redirects: readRedirects(cursor) };
  }
  const reserved = take(cursor, reservedWord);
  if (reserved === null) return readSimple(cursor);
  return readCompound(cursor, reserved);
}

function readCompound(cursor: Cursor, reserved: string): Command {
  switch (reserved) {
    case "{": {
      const body = readUntil(cursor, ["}"]).script;
      return { type: "group", isSubshell: false, body, redirects: readRedirects(cursor) };
    }
    case "if":
      return readIf(cursor);
    case "case":
      return readCase(cursor);
    case "for":
    case "select":
      return readFor(cursor);
    case "[[":
      return readTest(cursor);
    case "function": {
      skipSpace(cursor);
      const name = take(cursor, /[^\s()]+/y) ?? "";
      take(cursor, /[ \t]*\([ \t]*\)/y);
      return readFunction(cursor, name);
    }
    case "coproc":
      skipSpace(cursor);
      take(cursor, /[A-Za-z_]\w*[ \t]+(?=[{(])/y);
      return nested(cursor, () => readCommand(cursor), null) ?? nothing;
    default: {
      const condition = readUntil(cursor, ["do"]).script;
      const body = readUntil(cursor, ["done"]).script;
      return { type: "loop", each: null, condition, body, redirects: readRedirects(cursor) };
    }
  }
}

/** Parses a list up to and including one of these reserved words. */
function readUntil(cursor: Cursor, ends: readonly string[]): { script: Script; end: string } {
  const pattern = new RegExp(
    `(?:${ends.map((end) => end.replaceAll(/[{}]/g, String.raw`\$&`)).join("|")})(?![^\\s;&|<>()])`,
    "y",
  );
  const isEnd = (): boolean => {
    pattern.lastIndex = cursor.at;
    return pattern.test(cursor.text);
  };
  const script = readList(cursor, isEnd);
  const end = take(cursor, pattern);
  if (end === null) fail(cursor, `${ends.join(" or ")} is missing`);
  return { script, end: end ?? "" };
}

function readIf(cursor: Cursor): Command {
  const parts: Script[] = [readUntil(cursor, ["then"]).script];
  for (;;) {
    const { script, end } = readUntil(cursor, ["elif", "else", "fi"]);
    parts.push(script);
    if (end === "fi" || end === "") break;
    if (end === "elif") parts.push(readUntil(cursor, ["then"]).script);
  }
  return { type: "branch", words: [], parts, redirects: readRedirects(cursor) };
}

function readCase(cursor: Cursor): Command {
  skipSpace(cursor);
  const words = [parseWord(cursor, readScript)];
  const parts: Script[] = [];
  skipBreaks(cursor);
  if (take(cursor, /in(?=\s)/y) === null) fail(cursor, "in is missing");
  skipBreaks(cursor);
  while (!isAtEnd(cursor) && take(cursor, /esac(?![^\s;&|<>()])/y) === null) {
    take(cursor, /\(/y);
    do {
      skipSpace(cursor);
      words.push(parseWord(cursor, readScript));
      skipSpace(cursor);
    } while (take(cursor, /\|/y) !== null);
    if (take(cursor, /\)/y) === null) fail(cursor, "a pattern is not closed");
    parts.push(
      readList(
        cursor,
        () =>
          looksAt(cursor, ";;") || looksAt(cursor, ";&") || /^esac\b/.test(cursor.text.slice(cursor.at, cursor.at + 5)),
      ),
    );
    take(cursor, /;;&?|;&/y);
    skipBreaks(cursor);
  }
  return { type: "branch", words, parts, redirects: readRedirects(cursor) };
}

function readFor(cursor: Cursor): Command {
  skipSpace(cursor);
  const items: Word[] = [];
  const header = looksAt(cursor, "((") ? readArithmeticCommand(cursor) : null;
  const variable = header === null ? (take(cursor, /[A-Za-z_]\w*/y) ?? "") : "";
  skipBreaks(cursor);
  if (take(cursor, /in(?=[\s;])/y) !== null) {
    for (skipSpace(cursor); !isAtEnd(cursor) && !/[\n;]/.test(peek(cursor)); skipSpace(cursor)) {
      const word = parseWord(cursor, readScript);
      if (word.length === 0) fail(cursor, `unexpected ${peek(cursor)} in a list`);
      items.push(word);
    }
  }
  take(cursor, /[ \t]*;/y);
  skipBreaks(cursor);
  const isBraced = take(cursor, /\{(?=\s)/y) !== null;
  if (!isBraced && take(cursor, /do(?![^\s;&|<>()])/y) === null) fail(cursor, "do is missing");
  const body = readUntil(cursor, [isBraced ? "}" : "done"]).script;
  const condition = header === null ? [] : [{ commands: [header], isBackground: false }];
  return { type: "loop", each: { variable, items }, condition, body, redirects: readRedirects(cursor) };
}

/** `[[ .. ]]` runs nothing itself, but its words may. */
function readTest(cursor: Cursor): Command {
  const words: Word[] = [];
  for (skipBreaks(cursor); !isAtEnd(cursor); skipBreaks(cursor)) {
    if (take(cursor, /\]\](?![^\s;&|<>()])/y) !== null) {
      return { type: "branch", words, parts: [], redirects: readRedirects(cursor) };
    }
    const word = parseWord(cursor, readScript);
    words.push(word);
    if (word.length === 0) cursor.at += 1;
  }
  fail(cursor, "]] is missing");
  return nothing;
}

function readArithmeticCommand(cursor: Cursor): Command | null {
  const start = cursor.at;
  const inner = openCursor(`$${cursor.text.slice(start)}`, cursor.budget);
  const [part] = parseWord({ ...inner, heredocs: cursor.heredocs }, readScript);
  if (part?.type !== "arithmetic") return null;
  const closed = endOfArithmetic(cursor);
  if (closed === null) return null;
  cursor.at = closed;
  // Kept as text unless it has commands in it: it decides whether a loop ends.
  const deep = part.inner.filter((each) => each.type !== "parameter" || each.argument.length > 0);
  const plain = deep.length > 0 ? deep : [textPart(cursor.text.slice(start + 2, closed - 2).trim(), true)];
  return { type: "branch", words: [plain], parts: [], redirects: readRedirects(cursor) };
}

function endOfArithmetic(cursor: Cursor): number | null {
  let depth = 0;
  for (let at = cursor.at; at < cursor.text.length; at += 1) {
    const next = cursor.text.charAt(at);
    if (next === "(") depth += 1;
    if (next === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

function readFunction(cursor: Cursor, name: string): Command {
  skipBreaks(cursor);
  const body = nested(cursor, () => readCommand(cursor), null);
  if (body === null) fail(cursor, "a function has no body");
  return { type: "function", name, body: body ?? nothing };
}

function readSimple(cursor: Cursor): Command | null {
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (skipSpace(cursor); !isAtEnd(cursor); skipSpace(cursor)) {
    const redirect = parseRedirect(cursor, readScript);
    if (redirect !== null) {
      redirects.push(redirect);
      continue;
    }
    const assigned = words.length === 0 ? readAssignment(cursor) : null;
    if (assigned !== null) {
      assignments.push(assigned);
      continue;
    }
    const word = parseWord(cursor, readScript);
    if (word.length > 0) words.push(word);
    if (peek(cursor) === "(" && endsInEquals(word)) words.push(...readArray(cursor));
    else if (words.length === 1 && take(cursor, /[ \t]*\([ \t]*\)/y) !== null)
      return readFunction(cursor, nameOf(word));
    else if (word.length === 0) break;
  }
  if (words.length + assignments.length + redirects.length === 0) return null;
  return { type: "simple", assignments, words, redirects };
}

function readAssignment(cursor: Cursor): Assignment | null {
  const head = take(cursor, /[A-Za-z_]\w*(?:\[[^\]\n]*\])?\+?=/y);
  if (head === null) return null;
  const name = /^\w+/.exec(head)?.[0] ?? "";
  const isArray = peek(cursor) === "(";
  const values = isArray ? readArray(cursor) : [parseWord(cursor, readScript)];
  const index = /\[.*\]/.exec(head)?.[0] ?? "";
  // An index may hold a command, which runs.
  const indexed = /[$`]/.test(index) ? [parseWord(openCursor(index, cursor.budget), readScript)] : [];
  return { name, index, isAppended: head.includes("+="), values: [...values, ...indexed], isArray };
}

function readArray(cursor: Cursor): Word[] {
  const items: Word[] = [];
  cursor.at += 1;
  for (skipBreaks(cursor); !isAtEnd(cursor); skipBreaks(cursor)) {
    if (take(cursor, /\)/y) !== null) return items;
    const item = parseWord(cursor, readScript);
    if (item.length === 0) fail(cursor, `unexpected ${peek(cursor)} in a list`);
    items.push(item);
  }
  fail(cursor, "a list is not closed");
  return items;
}

function readRedirects(cursor: Cursor): Redirect[] {
  const redirects: Redirect[] = [];
  for (skipSpace(cursor); !isAtEnd(cursor); skipSpace(cursor)) {
    const redirect = parseRedirect(cursor, readScript);
    if (redirect === null) break;
    redirects.push(redirect);
  }
  return redirects;
}

function endsInEquals(word: Word): boolean {
  const last = word.at(-1);
  return last?.type === "text" && !last.isQuoted && last.text.endsWith("=");
}

function nameOf(word: Word): string {
  return word.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** White space, continued lines and a comment, which begins where a word could. */
function skipSpace(cursor: Cursor): void {
  take(cursor, /(?:[ \t\r]|\\\n|(?<![^\s;&|()])#[^\n]*)+/y);
}

/** White space, comments and line breaks; after a line break come the heredocs that were announced. */
function skipBreaks(cursor: Cursor): void {
  for (;;) {
    skipSpace(cursor);
    if (peek(cursor) !== "\n") return;
    cursor.at += 1;
    readHeredocs(cursor, readScript);
  }
}

const nothing: Command = { type: "group", isSubshell: false, body: [], redirects: [] };
const reservedWord = /(?:\{|if|case|for|select|\[\[|function|coproc|while|until)(?![^\s;&|<>()])/y;
