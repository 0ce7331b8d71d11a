import { cleanLine } from "../../../core/text/clean-text.ts";
import { cutToWidth, displayWidth } from "../terminal/display-width.ts";
import type { Marks } from "../terminal/marks.ts";
import { createStatusSink, type StatusSink } from "./status-sink.ts";

/** The status lines of everything that runs on one terminal: one per task when several run side by side. */
export type StatusBoard = {
  /** The sink of a run; its line begins with the label, and replaces that of the run before with the same label. */
  open(label: string | null): StatusSink;
  /** The lines for a terminal of this width; runs that have ended have none. */
  rows(width: number): string[];
};

/** More lines would leave no room for what they are about. */
const rowsMax = 8;
const labelWidthMax = 20;

/** An empty board; `onChange` is called when a line of it may have changed. */
export function createStatusBoard(parts: { marks: Marks; now: () => number }, onChange: () => void): StatusBoard {
  const sinks = new Map<string | null, StatusSink>();
  return {
    open(label) {
      const sink = createStatusSink(parts, onChange);
      sinks.set(label, sink);
      return sink;
    },
    rows(width) {
      const lines = Array.from(sinks, ([label, sink]) => lineOf(label, sink, width)).filter((line) => line !== "");
      if (lines.length <= rowsMax) return lines;
      return [...lines.slice(0, rowsMax - 1), `${lines.length - rowsMax + 1} more tasks at work`];
    },
  };
}

function lineOf(label: string | null, sink: StatusSink, width: number): string {
  if (label === null) return sink.text(width);
  const head = `[${cutToWidth(cleanLine(label), labelWidthMax)}] `;
  const text = sink.text(Math.max(1, width - displayWidth(head)));
  return text === "" ? "" : head + text;
}
