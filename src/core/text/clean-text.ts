import { stripColour } from "./strip-colour.ts";

/**
 * Foreign text that is safe to show: nothing in it moves the cursor, clears the screen, sets a title, reverses the writing
 * direction or hides text. Line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  if (isHarmless(text)) return text;
  return stripColour(text).replaceAll(lineBreak, "\n").replaceAll(patterns().unprintable, "");
}

/** The same on one line: only ralph begins a line of ralph. */
export function cleanLine(text: string): string {
  const words = cleanText(text);
  // Most texts are one line already, and looking costs less than replacing.
  return (/[\n\t]/.test(words) ? words.replaceAll(/[\n\t]+/g, " ") : words).trimEnd();
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
  if (isHarmless(text)) return text;
  const parts = text.split(ownColour);
  return parts.map((part, index) => (index % 2 === 1 ? part : cleanText(part))).join("");
}

/** Pieces of it that are printed together. Most are harmless: one look at all of them costs less than one at each. */
export function cleanOutputs(pieces: readonly string[]): string {
  const text = pieces.join("");
  return isHarmless(text) ? text : pieces.map(cleanOutput).join("");
}

/** Looks by code unit first, which is quick for texts in any language, and asks the slow pattern only about a unit that may be harmful. */
function isHarmless(text: string): boolean {
  return !maybeHarmful.test(text) || !patterns().suspicious.test(text);
}

// Every unit with which a match of `suspicious` begins; those of the tags begin with U+DB40.
const maybeHarmful = new RegExp(
  String.raw`[\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uDB40\uFEFF\uFFF9-\uFFFB]`,
);

/** Made on first use: their classes of Unicode take 5 ms, which a start that prints plain text saves. */
function patterns(): Patterns {
  made ??= makePatterns();
  return made;
}

type Patterns = { unprintable: RegExp; suspicious: RegExp };
let made: Patterns | null = null;

/** Letters that an invisible character joins or separates, in scripts that need it. */
const scripts = [
  "Arab",
  "Syrc",
  "Mong",
  "Deva",
  "Beng",
  "Guru",
  "Gujr",
  "Orya",
  "Taml",
  "Telu",
  "Knda",
  "Mlym",
  "Sinh",
];

// Control characters of both sets, line separators, and what is invisible: bidi controls, zero-width characters, tags.
function makePatterns(): Patterns {
  const joining = scripts.map((script) => String.raw`\p{sc=${script}}`).join("");
  const source = [
    String.raw`[^\P{Cc}\n\t]`,
    String.raw`[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]`,
    String.raw`(?<![${joining}])\u200C`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F${joining}])\u200D`,
  ].join("|");
  return { unprintable: new RegExp(source, "gu"), suspicious: new RegExp(source, "u") };
}

// A return alone is a progress bar drawn over itself: each state becomes a line. At the end its line feed may still come.
const lineBreak = /\r\n|\r(?!$)|\u2028|\u2029/g;
// Bold, dim, red, green, yellow, cyan and their ends. Others could hide text, such as black on black.
const ownColour = new RegExp(String.raw`(\u001B\[(?:1|2|22|31|32|33|36|39)m)`);
