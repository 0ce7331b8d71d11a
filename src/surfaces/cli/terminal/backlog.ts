import { cleanOutputs } from "../../../core/text/clean-text.ts";

/**
 * Text waiting for a reader that may be slow. Bounded: what does not fit is counted, and the reader is told how much. Nothing
 * that comes out can act on a terminal: what is left out is never looked at, and the rest only once.
 */
export type Backlog = {
  /** Takes every piece. */
  add: (text: string) => void;
  /** Takes the piece, or what of it fits. */
  offer: (text: string) => void;
  /** Everything waiting, and a summary of what was left out; empty when there is nothing. */
  take: () => string;
};

export type BacklogLimits = {
  charsMax: number;
  /** A piece may be cut between two lines. */
  isCuttable: boolean;
  /** The line that stands for what was left out. */
  summary: (chars: number) => string;
};

/** A queue of text whose size does not depend on how much is offered. */
export function createBacklog({ charsMax, isCuttable, summary }: BacklogLimits): Backlog {
  let pieces: string[] = [];
  let size = 0;
  let leftOut = 0;
  const add = (text: string): void => {
    pieces.push(text);
    size += text.length;
  };
  return {
    add,
    offer(text) {
      const kept = size >= charsMax ? "" : fitting(text, isCuttable ? charsMax - size : Infinity);
      if (kept !== "") add(kept);
      leftOut += text.length - kept.length;
    },
    take() {
      const text = cleanOutputs(pieces);
      const isOpen = text !== "" && !text.endsWith("\n");
      const rest = leftOut === 0 ? "" : `${isOpen ? "\n" : ""}${summary(leftOut)}\n`;
      pieces = [];
      size = 0;
      leftOut = 0;
      return text + rest;
    },
  };
}

/** As many whole lines as fit. */
function fitting(text: string, room: number): string {
  return text.length <= room ? text : text.slice(0, text.lastIndexOf("\n", room - 1) + 1);
}
