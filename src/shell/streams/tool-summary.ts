import { isObject } from "../../core/text/is-object.ts";
import { textOf } from "./json-value.ts";

/** A summary is one line of a live view. */
const summaryCharsMax = 200;

const tellingKeys = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "subject", "prompt"];

/** One line that tells people what a tool was asked to do. */
export function summarizeToolInput(input: unknown): string {
  if (!isObject(input)) return oneLine(textOf(input) ?? "");
  for (const key of tellingKeys) {
    const text = textOf(input[key]);
    if (text !== null && text !== "") return oneLine(text);
  }
  return Object.keys(input).length === 0 ? "" : oneLine(JSON.stringify(input));
}

/** The text on one line, cut where a live view would cut it. */
export function oneLine(text: string): string {
  const head = text.slice(0, summaryCharsMax * 2);
  // Most texts are one line already, and looking costs a tenth of replacing.
  const line = (/[^\S ]| {2}/.test(head) ? head.replaceAll(/\s+/g, " ") : head).trim();
  return line.length > summaryCharsMax ? `${line.slice(0, summaryCharsMax - 1)}…` : line;
}
