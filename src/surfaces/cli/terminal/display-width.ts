import { eastAsianWidth } from "get-east-asian-width";

/** Cells a text takes in a terminal: East Asian wide letters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, or as much of its beginning as fits into `width` cells with `ellipsis` behind it. Never cuts a character. */
export function cutToWidth(text: string, width: number, ellipsis = "…"): string {
  // No text is read to its end to be cut: an agent may write a line of megabytes.
  const head = text.length > width * unitsPerCellMax ? text.slice(0, width * unitsPerCellMax) : text;
  if (head === text && displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  if (isPlain(head)) return room < 0 ? "" : head.slice(0, room) + ellipsis;
  let used = 0;
  let end = 0;
  for (const { segment, index } of segmenter().segment(head)) {
    used += graphemeWidth(segment);
    if (used > room) break;
    end = index + segment.length;
  }
  return room < 0 ? "" : head.slice(0, end) + ellipsis;
}

/** Made on first use: it loads the tables of Unicode, 11 ms, which is a third of an empty program's start. */
function segmenter(): Intl.Segmenter {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return graphemes;
}

let graphemes: Intl.Segmenter | null = null;

/** A family of four with skin tones is 19 units in two cells; whoever piles up more is cut earlier. */
const unitsPerCellMax = 16;

/** Whether each unit takes one cell: ASCII, and the sign that ralph itself puts behind what it cuts. */
function isPlain(text: string): boolean {
  return /^[ -~…]*$/.test(text);
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
  return eastAsianWidth(code);
}

/** A format character by its class, but terminals draw it. */
const softHyphen = 0xad;
const noWidth = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;
