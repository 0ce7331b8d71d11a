/**
 * Characters of the private-use area that mark special parts of expanded words: file name patterns, and values the guard
 * cannot know, each with its origin. They are removed from a command line before it is parsed.
 */
export const marks = {
  star: "\uE000",
  question: "\uE001",
  bracket: "\uE002",
  braceOpen: "\uE003",
  comma: "\uE004",
  braceClose: "\uE005",
  /** Any value, perhaps none. */
  unknown: "\uE010",
  /** Any value, but not an empty one. */
  some: "\uE011",
  /** Came over the network. */
  download: "\uE012",
  /** Was encoded, so that it was unreadable. */
  decoded: "\uE013",
  /** The output of a program whose output is meant to be run, such as ssh-agent. */
  trusted: "\uE014",
  /** The value of a variable named like a secret. */
  secret: "\uE015",
  /** The content of a file that existed before. */
  file: "\uE016",
  /** Output without an end. */
  endless: "\uE017",
  /** A list of all processes, which nothing has narrowed down yet. */
  processes: "\uE018",
  /** A process of the harness: the agent, or ralph. */
  harness: "\uE019",
  /** Containers, volumes or keys that a listing names: all that there are. */
  listing: "\uE01A",
  /** Printed by code in another language. */
  printed: "\uE01B",
  /** The text before it went through a program that may have changed it. */
  altered: "\uE01C",
  /** All variables of the environment with their values. */
  environment: "\uE01D",
} as const;

/** Removes the marks' characters from a foreign text. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/[\uE000-\uE01F]/g, "\uFFFD");
}

/** The word when every unknown value is empty, as with unset variables. */
export function withoutUnknown(text: string): string {
  if (!hasMarks(text)) return text;
  return plainPatterns(text.replaceAll(/[\uE010\uE012-\uE01D]/g, "").replaceAll(marks.some, "x"));
}

/** Whether a part of the word is not known. */
export function hasUnknown(text: string): boolean {
  return /[\uE010-\uE01D]/.test(text);
}

/** Whether the whole word is unknown. */
export function isAllUnknown(text: string): boolean {
  return /^[\uE010-\uE019\s]+$/.test(text);
}

/** Whether the word is a file name pattern. */
export function hasPattern(text: string): boolean {
  return /[\uE000-\uE002]/.test(text);
}

/** File name patterns as the characters they were written with. */
export function plainPatterns(text: string): string {
  if (!hasMarks(text)) return text;
  return text
    .replaceAll(marks.star, "*")
    .replaceAll(marks.question, "?")
    .replaceAll(marks.bracket, "[")
    .replaceAll(marks.braceOpen, "{")
    .replaceAll(marks.comma, ",")
    .replaceAll(marks.braceClose, "}");
}

/** Whether a word with patterns and unknown parts can match this path. */
export function mayBe(word: string, path: string): boolean {
  if (!hasPattern(word)) return withoutUnknown(word) === path;
  if (/^[\uE000-\uE002]/.test(word)) return false;
  const source = word
    .replaceAll(/[.+^${}()|[\]\\*?]/g, String.raw`\$&`)
    .replaceAll(/\uE002[^\]]*\\?\]/g, "[^/]")
    // Only a pattern with an explicit dot matches a name that begins with a dot.
    .replaceAll(/(?<=\/)\uE000/g, "(?!\\.)[^/]*")
    .replaceAll(marks.star, "[^/]*")
    .replaceAll(marks.question, "[^/]")
    .replaceAll(/[\uE003-\uE01D]/g, "");
  return new RegExp(`^${source.replaceAll(marks.bracket, String.raw`\[`)}$`, "i").test(path);
}

/** Nearly all words are plain, and a test is cheaper than a replacement. */
function hasMarks(text: string): boolean {
  return /[\uE000-\uE01F]/.test(text);
}
