/**
 * The requirement ids named in a text, ranges and lists spelled out: `S1-52..54` are three ids, `CB-01, 02, 04..06`
 * five. A bare number continues a list only where it cannot be anything else.
 */
export function idsIn(text: string): string[] {
  const ids = new Set<string>();
  for (const match of text.matchAll(list)) {
    const prefix = match[1] ?? "";
    for (const part of (match[2] ?? "").split(",")) {
      for (const id of spellOut(prefix, part.trim())) ids.add(id);
    }
  }
  return [...ids];
}

/** Whether a text names this id, alone, in a list or inside a range. `S1-44` is not in `S1-440`. */
export function namesId(text: string, id: string): boolean {
  return idsIn(text).includes(id);
}

/** Whether a text is an id and nothing else. */
export function isId(text: string): boolean {
  return idsIn(text)[0] === text;
}

/** Sorts ids the way the documents count them. */
export function compareIds(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

const tail = String.raw`(?:\d[A-Z]|\d+)`;
const span = String.raw`${tail}(?:\.\.(?:[A-Z]\d?-)?${tail})?`;
// After a comma a bare number must have the width of an id and end the list, go on with it or open a range.
const more = String.raw`(?:,\s*(?:\d[A-Z]|\d{2,3})(?:\.\.${tail})?(?=\s*(?:[,;)]|\band\b|\.\s|\.?$)))*`;
const list = new RegExp(String.raw`\b(S[0-4]-|CB-|CW-|R-)(${span}${more})(?![\dA-Za-z])`, "g");

function spellOut(prefix: string, part: string): string[] {
  const [first = "", last] = part.split("..").map((end) => end.replace(/^[A-Z]\d?-/, ""));
  if (last === undefined) return [prefix + first];
  if (/[A-Z]$/.test(first)) return spellOutLetters(prefix, first, last);
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > idsInRangeMax) return [];
  return Array.from({ length: count }, (_, step) => prefix + String(Number(first) + step).padStart(first.length, "0"));
}

/** `CW-1A..1N`: the digit is the document, the letters count. */
function spellOutLetters(prefix: string, first: string, last: string): string[] {
  const from = first.charCodeAt(1);
  const count = last.charCodeAt(1) - from + 1;
  if (first[0] !== last[0] || !(count >= 1)) return [];
  return Array.from({ length: count }, (_, step) => prefix + first.charAt(0) + String.fromCharCode(from + step));
}

/** No document has more than a hundred requirements; a longer range is a slip. */
const idsInRangeMax = 100;
