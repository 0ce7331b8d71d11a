import type { Part, Word } from "./script.ts";

/** The parser's position. All texts nested in one command line share `budget`. */
export type Cursor = {
  text: string;
  at: number;
  budget: Budget;
  heredocs: PendingHeredoc[];
};

/** The parse budget of one command line, and why parsing failed, if it did. */
export type Budget = { stepsLeft: number; depth: number; failure: string | null };

/** A heredoc whose lines begin after the next line break. */
export type PendingHeredoc = {
  delimiter: string;
  isLiteral: boolean;
  hasTabsStripped: boolean;
  fill: (body: Word) => void;
};

/** Starts to read a text on a budget. */
export function openCursor(text: string, budget: Budget): Cursor {
  return { text, at: 0, budget, heredocs: [] };
}

/** Notes why the text cannot be read and moves to its end, so that every loop stops. */
export function fail(cursor: Cursor, reason: string): void {
  cursor.budget.failure ??= reason;
  cursor.at = cursor.text.length;
}

/** Whether the end is reached. Costs a step, so that no loop exceeds the budget. */
export function isAtEnd(cursor: Cursor): boolean {
  cursor.budget.stepsLeft -= 1;
  if (cursor.budget.stepsLeft < 0) fail(cursor, "it takes too long to read");
  return cursor.budget.failure !== null || cursor.at >= cursor.text.length;
}

/** The next character, or an empty text at the end. */
export function peek(cursor: Cursor, offset = 0): string {
  return cursor.text.charAt(cursor.at + offset);
}

/** Whether this text is next. */
export function looksAt(cursor: Cursor, text: string): boolean {
  return cursor.text.startsWith(text, cursor.at);
}

/** Takes what a sticky expression matches here, or null. */
export function take(cursor: Cursor, sticky: RegExp): string | null {
  sticky.lastIndex = cursor.at;
  const found = sticky.exec(cursor.text)?.[0];
  if (found === undefined || found === "") return null;
  cursor.at += found.length;
  return found;
}

/** Reads something nested, one level deeper; too deep is a failure. */
export function nested<T>(cursor: Cursor, read: () => T, instead: T): T {
  if (cursor.budget.depth >= depthMax) {
    fail(cursor, "it is nested too deeply");
    return instead;
  }
  cursor.budget.depth += 1;
  const result = read();
  cursor.budget.depth -= 1;
  return result;
}

/** Plain characters as a part of a word. */
export function textPart(text: string, isQuoted: boolean): Part {
  return { type: "text", text, isQuoted };
}

/** People nest three or four levels; deeper nesting is obfuscation. */
const depthMax = 40;
