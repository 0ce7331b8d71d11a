const newline = 10;
const dash = 45;
const blanks = new Set([9, 13, 32]);

/**
 * The first line from `from` on, a line start, that is `---` and nothing else and ends before the bytes do. `end` is
 * the start of the line after it.
 */
export function findDashLine(bytes: Uint8Array, from: number): { start: number; end: number } | null {
  for (let start = from; start < bytes.length;) {
    const newlineAt = bytes.indexOf(newline, start);
    if (newlineAt < 0) return null;
    if (isDashLine(bytes, start, newlineAt)) return { start, end: newlineAt + 1 };
    start = newlineAt + 1;
  }
  return null;
}

/** Whether the line between two positions is a `---`, blanks behind it allowed. */
export function isDashLine(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 3 || bytes[start] !== dash || bytes[start + 1] !== dash || bytes[start + 2] !== dash) return false;
  for (let at = start + 3; at < end; at += 1) if (!blanks.has(bytes[at] ?? 0)) return false;
  return true;
}

/** Puts a backslash before every line a reader would take for a `---`, and before those that already have one. */
export function escapeDashLines(body: string): string {
  return body.replaceAll(/^(\\*---[ \t]*)$/gm, String.raw`\$1`);
}

/** Undoes `escapeDashLines`. */
export function unescapeDashLines(body: string): string {
  return body.replaceAll(/^\\(\\*---[ \t]*)$/gm, "$1");
}
