import { stripColour } from "./strip-colour.ts";

/**
 * Foreign text that is safe to show: nothing in it moves the cursor, clears the screen, sets a title, reverses the writing
 * direction or hides text. Line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  return stripColour(text).replaceAll(lineBreak, "\n").replaceAll(unprintable, "");
}

/** The same on one line: only ralph begins a line of ralph. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replaceAll(/[\n\t]+/g, " ")
    .trimEnd();
}

/** Lines of ralph that contain foreign words; a line break inside a line comes from them. */
export function cleanLines(lines: readonly string[]): string {
  return lines.map((line) => `${cleanLine(line)}\n`).join("");
}

/** A message of several lines: only the first begins where lines of ralph begin. */
export function cleanMessage(text: string): string {
  return cleanText(text).replaceAll("\n", "\n  ");
}

/** Text of several lines below a line of ralph, each marked, so that none passes for ralph's own. */
export function cleanBlock(text: string, mark: string): string {
  const lines = cleanText(text).replace(/\n$/, "").split("\n");
  return lines.map((line) => `${mark}${line}`.trimEnd()).join("\n");
}

/** What this program prints: harmless like `cleanText`, with the colours it uses itself. */
export function cleanOutput(text: string): string {
  if (!suspicious.test(text)) return text;
  const parts = text.split(ownColour);
  return parts.map((part, index) => (index % 2 === 1 ? part : cleanText(part))).join("");
}

/** Letters that an invisible character joins or separates, in scripts that need it. */
const joining = ["Arab", "Syrc", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"]
  .map((script) => String.raw`\p{sc=${script}}`)
  .join("");

// Control characters of both sets, line separators, and what is invisible: bidi controls, zero-width characters, tags.
const unprintable = new RegExp(
  [
    String.raw`[^\P{Cc}\n\t]`,
    String.raw`[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]`,
    String.raw`(?<![${joining}])\u200C`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F${joining}])\u200D`,
  ].join("|"),
  "gu",
);
const suspicious = new RegExp(unprintable.source, "u");
// A return alone is a progress bar drawn over itself: each state becomes a line. At the end its line feed may still come.
const lineBreak = /\r\n|\r(?!$)|\u2028|\u2029/g;
// Bold, dim, red, green, yellow, cyan and their ends. Others could hide text, such as black on black.
const ownColour = new RegExp(String.raw`(\u001B\[(?:1|2|22|31|32|33|36|39)m)`);
