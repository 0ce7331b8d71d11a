import { isObject, textOf } from "./json-value.ts";

/** A summary is one line of a live view. */
const summaryCharsMax = 200;

const tellingKeys = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "subject", "prompt"];

/** One line that tells people what a tool was asked to do. */
export function summarizeToolInput(input: unknown): string {
  if (!isObject(input)) return oneLine(textOf(input) ?? "");
  const telling = tellingKeys.map((key) => textOf(input[key])).find((text) => text !== null && text !== "");
  if (telling !== undefined && telling !== null) return oneLine(telling);
  return Object.keys(input).length === 0 ? "" : oneLine(JSON.stringify(input));
}

/** The text on one line, cut where a live view would cut it. */
export function oneLine(text: string): string {
  const head = text
    .slice(0, summaryCharsMax * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return head.length > summaryCharsMax ? `${head.slice(0, summaryCharsMax - 1)}…` : head;
}
