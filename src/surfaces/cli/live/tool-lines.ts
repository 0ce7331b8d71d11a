import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { cleanLine, cleanText } from "../../../core/text/clean-text.ts";
import type { Marks } from "../terminal/marks.ts";
import type { Format } from "../terminal/paint.ts";
import type { ViewLine, ViewStyle } from "./view-style.ts";

/** A tool as its line shows it. */
export type ShownTool = { name: string; summary: string; isSub: boolean };

type ToolEnd = Extract<AgentEvent, { type: "tool-ended" }>;

/** The result of a tool: its size and its first lines (S1-74). `name` is the name in its own line. */
export function resultLines(event: ToolEnd, name: string, style: ViewStyle): ViewLine[] {
  const { mark, word, format } = kindOf(event, style.marks);
  const output = cleanText(event.output).trimEnd();
  const lineCount = output === "" ? 0 : countOf(output, "\n") + 1;
  const size = `${counted(lineCount, "line")}, ${counted(codePointCount(output), "char")}`;
  const rows = outputRows(output, lineCount, style);
  return [
    { text: `${mark} ${word} <- ${name} (${size})`, format },
    ...rows.map((row): ViewLine => ({ text: `  |  ${row}`, format: "dim" })),
  ];
}

function kindOf({ isError, isDenied }: ToolEnd, marks: Marks): { mark: string; word: string; format: Format } {
  if (isDenied) return { mark: marks.denied, word: "Denied", format: "yellow" };
  if (isError) return { mark: marks.error, word: "Error", format: "red" };
  return { mark: marks.ok, word: "Result", format: "green" };
}

function outputRows(output: string, lineCount: number, { outputLinesMax, outputCharsMax, marks }: ViewStyle): string[] {
  if (outputLinesMax === 0 || outputCharsMax === 0 || output === "") return [];
  // Two units make a character at most, so this head holds all that may be shown.
  const head = Array.from(output.slice(0, outputCharsMax * 2))
    .slice(0, outputCharsMax)
    .join("");
  const rows = head.split("\n").slice(0, outputLinesMax);
  const hiddenCount = lineCount - rows.length;
  const isLastCut = head.length < output.length && rows.length === countOf(head, "\n") + 1;
  const shown = rows.map((row, index) => {
    const isCut = isLastCut && index === rows.length - 1;
    return cleanLine(row.replaceAll("\t", "  ")) + (isCut ? marks.ellipsis : "");
  });
  return hiddenCount === 0 ? shown : [...shown, `${marks.ellipsis} ${counted(hiddenCount, "more line")}`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function countOf(text: string, letter: string): number {
  let count = 0;
  for (let at = text.indexOf(letter); at !== -1; at = text.indexOf(letter, at + 1)) count += 1;
  return count;
}

/** Characters roughly as people count them: an emoji outside the basic plane is one, not two. */
function codePointCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) count -= 1;
  }
  return count;
}
