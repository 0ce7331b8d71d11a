import { fail, openCursor, peek, take, textPart, type Cursor } from "./cursor.ts";
import { parseHeredocBody, parseWord, type ReadScript } from "./parse-word.ts";
import type { Redirect, Word } from "./script.ts";

/** Reads a redirect if one begins here. The body of a heredoc is filled in when its lines are reached. */
export function parseRedirect(cursor: Cursor, readScript: ReadScript): Redirect | null {
  const before = cursor.at;
  const descriptor = take(cursor, /(?:\d+|\{\w+\})(?=[<>])/y) ?? "";
  if (/^[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2)) && descriptor === "") return null;
  const operator = take(cursor, redirectOperator);
  if (operator === null) {
    cursor.at = before;
    return null;
  }
  take(cursor, /(?:[ \t]|\\\n)+/y);
  const target = parseWord(cursor, readScript);
  if (target.length === 0) fail(cursor, `${operator} has no target`);
  const redirect: Redirect = { operator, descriptor, target, body: operator === "<<<" ? target : null };
  if (operator === "<<" || operator === "<<-") announce(cursor, redirect);
  return redirect;
}

/** Reads the lines of every heredoc announced on the line that just ended. */
export function readHeredocs(cursor: Cursor, readScript: ReadScript): void {
  for (const heredoc of cursor.heredocs.splice(0)) {
    const lines: string[] = [];
    while (cursor.at < cursor.text.length) {
      const raw = take(cursor, /[^\n]*/y) ?? "";
      if (peek(cursor) === "\n") cursor.at += 1;
      const line = heredoc.hasTabsStripped ? raw.replace(/^\t+/, "") : raw;
      if (line === heredoc.delimiter) break;
      lines.push(`${line}\n`);
    }
    const text = lines.join("");
    const inner = openCursor(text, cursor.budget);
    heredoc.fill(heredoc.isLiteral ? [textPart(text, true)] : parseHeredocBody(inner, readScript));
  }
}

function announce(cursor: Cursor, redirect: Redirect): void {
  cursor.heredocs.push({
    delimiter: redirect.target.map((part) => (part.type === "text" ? part.text : "")).join(""),
    isLiteral: redirect.target.some((part) => part.type === "text" && part.isQuoted),
    hasTabsStripped: redirect.operator === "<<-",
    fill: (body: Word) => {
      redirect.body = body;
    },
  });
}

const redirectOperator = /&>>?|<<<|<<-?|<>|[<>]&|>\||>>|[<>]/y;
