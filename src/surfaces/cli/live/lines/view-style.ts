import { cutToWidth, displayWidth } from "../../terminal/display-width.ts";
import type { Marks } from "../../terminal/marks.ts";
import type { Format, Paint } from "../../terminal/paint.ts";

/** How the agent's view looks. `width` is null where lines are not cut: in a pipe or a file. */
export type ViewStyle = {
  marks: Marks;
  paint: Paint;
  /** The prefix of the agent's text lines when ralph's lines share the output; otherwise empty. */
  textMark: string;
  width: number | null;
  outputLinesMax: number;
  outputCharsMax: number;
  hasReasoning: boolean;
};

/** One whole line, not yet painted or cut. `ending` stays when the text before it is cut; `isWhole` is never cut. */
export type ViewLine = { text: string; ending?: string; isWhole?: true; format: Format | null };

/** The line as it is printed. */
export function finishLine(line: ViewLine, { width, marks, paint }: ViewStyle): string {
  const { text, ending = "", isWhole = false, format } = line;
  const room = width === null || isWhole ? null : width - displayWidth(ending);
  const shown = (room === null ? text : cutToWidth(text, room, marks.ellipsis)) + ending;
  return format === null ? shown : paint(format, shown);
}
