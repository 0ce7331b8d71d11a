/** The width of a table on standard output; null: nobody looks at it, so nothing is cut. A terminal of 0 columns counts as 80. */
export function statusWidth(): number | null {
  return process.stdout.isTTY ? process.stdout.columns || 80 : null;
}
