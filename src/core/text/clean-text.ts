import { stripColour } from "./strip-colour.ts";

/**
 * Text of an agent as it may be shown: no code in it moves the cursor, clears the screen, sets a title or turns the
 * writing direction around. Line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  return stripColour(text).replaceAll(lineBreak, "\n").replaceAll(unprintable, "");
}

/** The same on one line: nobody but ralph begins a line of ralph. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replaceAll(/[\n\t]+/g, " ")
    .trimEnd();
}

// Control characters of both sets, line separators, and the invisible ones that reorder text (Unicode's bidi controls).
const unprintable = /[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu;
const suspicious = new RegExp(unprintable.source, "u");
// A return alone is a progress bar drawn over itself: each state becomes a line. At the end its line feed may still come.
const lineBreak = /\r\n|\r(?!$)|\u2028|\u2029/g;
