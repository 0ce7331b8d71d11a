/** What to draw: whole lines that scroll up, and the rows that stay at the bottom of the terminal. */
export type Frame = { above: string; rows: readonly string[] };

/** A terminal that knows these shows a frame at once; the others ignore them. */
const frameBegin = "\u001B[?2026h";
const frameEnd = "\u001B[?2026l";
const wrapOff = "\u001B[?7l";
const wrapOn = "\u001B[?7h";
const eraseBelow = "\r\u001B[J";
const eraseRight = "\u001B[K";

/**
 * One write that takes the rows drawn before to a new frame; empty when it shows the same. After a resize nobody knows
 * what became of the old rows: `isAnew` draws in any case.
 *
 * The cursor rests in the first column of the first row. When a terminal is made narrower it breaks long rows, and the
 * cursor stays at the beginning of what they became: erasing from there down leaves nothing behind in any terminal.
 */
export function drawFrame(drawn: readonly string[], { above, rows }: Frame, isAnew: boolean): string {
  const isSame = rows.length === drawn.length && rows.every((row, index) => row === drawn[index]);
  if (above === "" && isSame && !isAnew) return "";
  // Rows written over themselves do not flicker, whatever the terminal knows.
  const isInPlace = above === "" && rows.length === drawn.length && !isAnew;
  const erase = drawn.length === 0 || isInPlace ? "" : eraseBelow;
  return `${frameBegin}${erase}${above}${drawRows(rows)}${frameEnd}`;
}

function drawRows(rows: readonly string[]): string {
  if (rows.length === 0) return "";
  const up = rows.length === 1 ? "" : `\u001B[${rows.length - 1}A`;
  // A key pressed meanwhile may have moved the cursor along its row.
  return `\r${wrapOff}${rows.map((row) => row + eraseRight).join("\n")}${wrapOn}${up}\r`;
}
