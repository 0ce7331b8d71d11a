/** A tag's name; `completion.signals` chooses among them. */
export type TagName = "promise" | "response";

/** A complete tag. */
export type Tag = { name: TagName; content: string };

/** Plain text, or a tag. */
export type Token = string | Tag;

/** Longer content is not a tag, so that the text held for a closing tag stays small. */
export const contentCharsMax = 4096;

/**
 * Cuts text into plain text and tags, handed on one by one: a list of those in a large piece would outlive their use. What may
 * still become a tag comes back and must stand before the next piece; with `isEnded` nothing does. An opening tag that meets
 * another one, a fence or the limit is plain text.
 */
export function lexTags(text: string, isEnded: boolean, take: (token: Token) => void): string {
  let plainFrom = 0;
  let at = text.indexOf("<");
  while (at !== -1) {
    const tag = readTagAt(text, at);
    if (tag === "unknown" && !isEnded) {
      if (at > plainFrom) take(text.slice(plainFrom, at));
      return text.slice(at);
    }
    if (tag === "none" || tag === "unknown") {
      at = text.indexOf("<", at + 1);
      continue;
    }
    if (at > plainFrom) take(text.slice(plainFrom, at));
    take(tag);
    plainFrom = tag.end;
    at = text.indexOf("<", tag.end);
  }
  if (plainFrom < text.length) take(text.slice(plainFrom));
  return "";
}

/** Whether held text and a new piece can be joined without reading: neither a tag's end nor the limit is reached. */
export function canKeepWaiting(held: string, piece: string): boolean {
  if (held === "" || held.length + piece.length >= contentCharsMax) return false;
  return !piece.includes(">") || !/<\/?(?:promise|response)>/i.test(held.slice(-"</response".length) + piece);
}

/** Whether a line of the text, the first one excepted, begins like a fence; no tag reaches over one. */
export function hasFenceLine(text: string): boolean {
  return text.includes("\n") && /\n[ \t]*(?:`{3}|~{3})/.test(text);
}

function readTagAt(text: string, at: number): (Tag & { end: number }) | "none" | "unknown" {
  const name = openingAt(text, at);
  if (name === null) return isCutAt(text, at) ? "unknown" : "none";
  const from = at + name.length + 2;
  const to = findClosing(text, from, name);
  if (typeof to === "string") return to;
  return { name, content: text.slice(from, to), end: to + name.length + 3 };
}

function findClosing(text: string, from: number, name: TagName): number | "none" | "unknown" {
  const limit = from + contentCharsMax;
  let at = text.indexOf("<", from);
  while (at !== -1 && at <= limit) {
    if (isAt(text, at, `</${name}>`)) return hasFenceLine(text.slice(from, at)) ? "none" : at;
    if (openingAt(text, at) !== null) return "none";
    if (isCutAt(text, at)) return "unknown";
    at = text.indexOf("<", at + 1);
  }
  return at === -1 && text.length <= limit ? "unknown" : "none";
}

function openingAt(text: string, at: number): TagName | null {
  const letter = text.charAt(at + 1);
  if ((letter === "p" || letter === "P") && isAt(text, at, "<promise>")) return "promise";
  if ((letter === "r" || letter === "R") && isAt(text, at, "<response>")) return "response";
  return null;
}

/** By character code: a stream may hold a tag on every line. Only ASCII letters have these letters as their lower case. */
function isAt(text: string, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const wanted = word.charCodeAt(index);
    const code = text.charCodeAt(at + index);
    if (code !== wanted && (wanted < firstLetter || code + upperToLower !== wanted)) return false;
  }
  return true;
}

/** The code of `a`, and what a capital lacks to its small letter. */
const firstLetter = 97;
const upperToLower = 32;

/** A longer rest is not the beginning of a tag. */
const longestTagChars = "</response".length;

function isCutAt(text: string, at: number): boolean {
  if (text.length - at > longestTagChars) return false;
  const rest = text.slice(at).toLowerCase();
  return ["<promise>", "</promise>", "<response>", "</response>"].some(
    (word) => word !== rest && word.startsWith(rest),
  );
}
