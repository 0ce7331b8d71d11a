/** Cells a text takes in a terminal: East Asian wide letters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, or as much of its beginning as fits into `width` cells with `ellipsis` behind it. Never cuts a character. */
export function cutToWidth(text: string, width: number, ellipsis = "…"): string {
  // No text is read to its end to be cut: an agent may write a line of megabytes.
  const head = text.length > width * unitsPerCellMax ? text.slice(0, width * unitsPerCellMax) : text;
  if (head === text && displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(head)) {
    used += graphemeWidth(segment);
    if (used > room) break;
    end = index + segment.length;
  }
  return room < 0 ? "" : head.slice(0, end) + ellipsis;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A family of four with skin tones is 19 units in two cells; whoever piles up more is cut earlier. */
const unitsPerCellMax = 16;

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function graphemeWidth(grapheme: string): number {
  if (isEmoji(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += characterWidth(character);
  return width;
}

/** What terminals draw as one picture: emoji of their own accord, by a variation selector, joined ones and flags. */
function isEmoji(grapheme: string): boolean {
  return /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}{2}/u.test(grapheme);
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code === softHyphen) return 1;
  if (noWidth.test(character) || (code >= 0x1160 && code <= 0x11ff)) return 0;
  return wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** A format character by its class, but terminals draw it. */
const softHyphen = 0xad;
const noWidth = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;

/** East Asian Wide and Fullwidth of Unicode's EastAsianWidth.txt, coarsened over unassigned places; emoji are found by name. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];
