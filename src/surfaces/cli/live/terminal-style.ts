import { isColoured, type Paint, painted, unpainted } from "../terminal/paint.ts";
import { terminalColumns } from "../terminal/terminal-columns.ts";
import type { Look } from "./display-options.ts";
import type { ViewStyle } from "./lines/view-style.ts";

/** The prefix of the agent's text where ralph's lines share the output: no line of ralph begins with it. */
export const agentMark = "| ";

/** The colours of an output: what the settings say, else what the terminal shows. */
export function paintFor(stream: NodeJS.WriteStream, { hasColours }: Look): Paint {
  return (hasColours ?? isColoured(stream.isTTY, process.env)) ? painted : unpainted;
}

/** The cells of a line of ralph's own; null without a terminal. The last column stays free: some terminals break there. */
export function lineWidth(stream: NodeJS.WriteStream): number | null {
  return stream.isTTY ? terminalColumns(stream) - 1 : null;
}

/**
 * Tells the present style of the agent's view on standard output; `stamp` is what its lines begin with. It is asked for every event,
 * so only the width of a terminal, which can change, is looked up again.
 */
export function createViewStyle(
  look: Look,
  { textMark, stamp }: { textMark: string; stamp: () => string },
): () => ViewStyle {
  const { marks, outputLinesMax, outputCharsMax, hasReasoning } = look;
  const { stdout } = process;
  const paint = paintFor(stdout, look);
  // Lines are not cut without a terminal.
  const style: ViewStyle = { marks, paint, textMark, width: null, outputLinesMax, outputCharsMax, hasReasoning };
  if (!stdout.isTTY) return () => style;
  return () => ({ ...style, width: Math.max(1, terminalColumns(stdout) - stamp().length) });
}
