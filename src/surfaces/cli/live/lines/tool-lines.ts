import type { AgentEvent } from "../../../../core/agents/agent-event.ts";
import { cleanLine, cleanText } from "../../../../core/text/clean-text.ts";
import type { Marks } from "../../terminal/marks.ts";
import type { Format } from "../../terminal/paint.ts";
import type { ViewLine, ViewStyle } from "./view-style.ts";

/** A tool as its line shows it. */
export type ShownTool = { name: string; summary: string; isSub: boolean; isTodo: boolean };

type ToolEnd = Extract<AgentEvent, { type: "tool-ended" }>;

/** The result of a tool: its size and its first lines (S1-74). `name` is the name in its own line. */
export function resultLines(event: ToolEnd, name: string, style: ViewStyle): ViewLine[] {
  const { mark, word, format } = kindOf(event, style.marks);
  const output = cleanText(event.output).trimEnd();
  const lineCount = lineCountOf(output);
  const size = `${counted(lineCount, "line")}, ${counted(codePointCount(output), "char")}`;
  return [
    { text: `${mark} ${word} ${style.marks.arrow} ${name} (${size})`, format },
    ...outputLines(output, lineCount, style),
  ];
}

/** How the output of a command begins, as the limits of the view allow. */
export function headLines(text: string, style: ViewStyle): ViewLine[] {
  const output = cleanText(text).trimEnd();
  return outputLines(output, lineCountOf(output), style);
}

/** Rows of output, the first one under its own mark. */
function outputLines(output: string, lineCount: number, style: ViewStyle): ViewLine[] {
  const { marks } = style;
  const rows = outputRows(output, lineCount, style);
  return rows.map((row, index) => ({
    text: `  ${index === 0 ? marks.output : marks.outputMore}  ${row}`,
    format: "dim",
  }));
}

function kindOf({ isError, isDenied }: ToolEnd, marks: Marks): { mark: string; word: string; format: Format } {
  if (isDenied) return { mark: marks.denied, word: "Denied", format: "yellow" };
  if (isError) return { mark: marks.error, word: "Error", format: "red" };
  return { mark: marks.ok, word: "Result", format: "green" };
}

function outputRows(output: string, lineCount: number, { outputLinesMax, outputCharsMax, marks }: ViewStyle): string[] {
  if (outputLinesMax === 0 || outputCharsMax === 0 || output === "") return [];
  const head = headOf(output, outputCharsMax);
  const rows = head.split("\n").slice(0, outputLinesMax);
  const hiddenCount = lineCount - rows.length;
  const isLastCut = head.length < output.length && rows.length === countOf(head, "\n") + 1;
  const shown = rows.map((row, index) => {
    const isCut = isLastCut && index === rows.length - 1;
    return cleanLine(row.replaceAll("\t", "  ")) + (isCut ? marks.ellipsis : "");
  });
  return hiddenCount === 0 ? shown : [...shown, `${marks.ellipsis} ${counted(hiddenCount, "more line")}`];
}

function headOf(output: string, charsMax: number): string {
  if (output.length <= charsMax) return output;
  // Two units make a character at most, so this head holds all that may be shown.
  const head = output.slice(0, charsMax * 2);
  if (!secondHalf.test(head)) return head.slice(0, charsMax);
  return Array.from(head).slice(0, charsMax).join("");
}

/** The second unit of a character that has two. */
const secondHalf = /[\uDC00-\uDFFF]/;

function lineCountOf(output: string): number {
  return output === "" ? 0 : countOf(output, "\n") + 1;
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
  if (!secondHalf.test(text)) return count;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) count -= 1;
  }
  return count;
}
