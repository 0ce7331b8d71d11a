/** Compares a tag's text with the expected one: trimmed, whatever the case, the line ends or the Unicode composition. */
export function isSameText(found: string, expected: string): boolean {
  return foldText(found) === foldText(expected);
}

function foldText(text: string): string {
  // Upper case first: it unites letters such as `ß` and `SS` or the two small sigmas, which lower case keeps apart.
  return text.replace(/\r\n?/g, "\n").trim().normalize("NFC").toUpperCase().toLowerCase();
}
