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
  /** What waits longest, in a size that is written at once; a summary stands where something was left out. Empty: nothing waits. */
  take: () => string;
};

export type BacklogLimits = {
  charsMax: number;
  /** A piece may be cut between two lines. */
  isCuttable: boolean;
  /** The line that stands for what was left out. */
  summary: (chars: number) => string;
};

/** Taken at once. All that waits, joined and as bytes, would be in memory three times. */
const takenCharsMax = 256 * 1024;

/** A queue of text whose size does not depend on how much is offered. */
export function createBacklog({ charsMax, isCuttable, summary }: BacklogLimits): Backlog {
  let pieces: string[] = [];
  let size = 0;
  let leftOut = 0;
  let isLineOpen = false;
  const push = (text: string): void => {
    pieces.push(text);
    size += text.length;
    isLineOpen = !text.endsWith("\n");
  };
  const tellLeftOut = (): void => {
    if (leftOut > 0) push(`${isLineOpen ? "\n" : ""}${summary(leftOut)}\n`);
    leftOut = 0;
  };
  // Once full, half of it must go first: a summary between any two lines would tell nobody anything.
  const room = (): number => (size >= (leftOut > 0 ? charsMax / 2 : charsMax) ? 0 : charsMax - size);
  return {
    add: push,
    offer(text) {
      const kept = room() === 0 ? "" : fitting(text, isCuttable ? room() : Infinity);
      if (kept !== "") {
        tellLeftOut();
        push(kept);
      }
      leftOut += text.length - kept.length;
    },
    take() {
      if (size <= takenCharsMax) tellLeftOut();
      const count = countFitting(pieces);
      const taken = count === pieces.length ? pieces : pieces.slice(0, count);
      pieces = count === pieces.length ? [] : pieces.slice(count);
      size -= taken.reduce((sum, { length }) => sum + length, 0);
      return cleanOutputs(taken);
    },
  };
}

/** How many pieces are taken at once; one of them at least. */
function countFitting(pieces: readonly string[]): number {
  let chars = 0;
  const end = pieces.findIndex((piece) => {
    chars += piece.length;
    return chars > takenCharsMax;
  });
  return end === -1 ? pieces.length : Math.max(1, end);
}

/** As many whole lines as fit. */
function fitting(text: string, room: number): string {
  return text.length <= room ? text : text.slice(0, text.lastIndexOf("\n", room - 1) + 1);
}
