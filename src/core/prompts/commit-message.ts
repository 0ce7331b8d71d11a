import { stripColour } from "../text/strip-colour.ts";

/** The longest accepted message; a longer answer is prose. */
const messageCharsMax = 2000;

/**
 * The commit message in an agent's answer: a `<response>` tag, else the first line of words. JSON, fences and
 * quotes are never a message (S1-62, CW-1G). Null without one.
 */
export function commitMessage(answer: string): string | null {
  const readable = stripColour(answer).replaceAll(control, "");
  const tagged = /<response>([\s\S]*?)<\/response>/i.exec(readable)?.[1];
  const words = (tagged ?? readable)
    .split("\n")
    .filter((line) => !/^(?:```|~~~)/.test(line.trim()) && !isJson(line.trim()))
    .join("\n")
    .trim()
    .replace(/^commit message:\s*/i, "");
  const bare = (tagged === undefined ? (words.split("\n")[0] ?? "").trim() : words)
    .replace(/^(["'`])((?:(?!\1)[\s\S])*)\1$/, "$2")
    .trim();
  return bare === "" ? null : bare.slice(0, messageCharsMax);
}

/** Not part of any message; a zero byte could not even be an argument. Tabs and line ends stay. */
// oxlint-disable-next-line no-control-regex -- it searches for control characters
const control = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** A line of JSON, whole or cut off, or a line out of a JSON value printed over several. */
function isJson(line: string): boolean {
  return /^[[{]\s*(?:["[{}\]]|$)/.test(line) || /^[\]}]+,?$/.test(line) || /^"[^"]*"\s*(?::|,$)/.test(line);
}
