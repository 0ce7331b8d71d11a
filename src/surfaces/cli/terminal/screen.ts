import { type Backlog, type BacklogLimits, createBacklog } from "./backlog.ts";
import { displayWidth } from "./display-width.ts";
import { drawFrame } from "./live-area.ts";
import { createOutlet, type Write } from "./outlet.ts";

/** Where a run shows itself: the agent's view on standard output, ralph's own words on standard error. Never waits. */
export type Screen = {
  /** The agent's view. Left out in part when the reader is too slow. */
  out(text: string): void;
  /** Text for standard output that is never left out. */
  print(text: string): void;
  /** Text for standard error that may be left out as well. */
  offer(text: string): void;
  /** A line of ralph's own. */
  say(line: string): void;
  /** The status line may have changed. */
  refresh(): void;
  /** The terminal has another width. */
  resized(): void;
  /** Removes the status lines and resolves when everything is written. */
  close(): Promise<void>;
};

/** What a screen is made of. */
export type ScreenParts = {
  writeOut: Write;
  writeErr: Write;
  /** Both end in the same terminal, pipe or file, so that their order must be kept. */
  isShared: boolean;
  /** What may wait for a reader. */
  limits: BacklogLimits;
  columns: () => number;
  /** The status lines for a width, one per run that is shown; null where there are none. */
  status: ((width: number) => string[]) | null;
  now: () => number;
};

/** Frames at most ten times a second: faster than anybody reads, too slow to flicker. */
const frameMs = 100;

/** Longer unfinished lines are broken. */
const tailCharsMax = 4096;

/** Connects backlogs to outlets: one of each for what is shared, two otherwise. */
export function createScreen(parts: ScreenParts): Screen {
  const errors = createBacklog(parts.limits);
  const texts = parts.isShared ? errors : createBacklog(parts.limits);
  const frames = parts.status === null ? null : createFrames(parts, parts.status, errors);
  const errorOutlet = createOutlet(parts.writeErr, () => frames?.next(errorOutlet.wake) ?? errors.take());
  const textOutlet = parts.isShared ? errorOutlet : createOutlet(parts.writeOut, texts.take);
  return {
    out(text) {
      texts.offer(text);
      textOutlet.wake();
    },
    print(text) {
      texts.add(text);
      textOutlet.wake();
    },
    offer(text) {
      errors.offer(text);
      errorOutlet.wake();
    },
    say(line) {
      errors.add(`${line}\n`);
      errorOutlet.wake();
    },
    refresh: () => errorOutlet.wake(),
    resized() {
      frames?.forget();
      errorOutlet.wake();
    },
    async close() {
      frames?.end();
      for (const outlet of [textOutlet, errorOutlet]) {
        outlet.wake();
        await outlet.settled();
      }
    },
  };
}

/** The text above, the unfinished line and the status lines, frame by frame. */
function createFrames({ columns, now }: ScreenParts, status: (width: number) => string[], backlog: Backlog) {
  let drawn: readonly string[] = [];
  let isAnew = false;
  let isEnded = false;
  let tail = "";
  let lastMs = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  const wakeAfter = (waitMs: number, wake: () => void): void => {
    timer ??= setTimeout(() => {
      timer = null;
      wake();
    }, waitMs).unref();
  };
  return {
    /** The next frame; nothing, and a later call of `wake`, when the last one is too young. */
    next(wake: () => void): string {
      const waitMs = lastMs + frameMs - now();
      if (waitMs > 0 && !isEnded) {
        wakeAfter(waitMs, wake);
        return "";
      }
      const [above, rest] = splitLines(tail + backlog.take(), isEnded);
      tail = rest;
      const width = Math.max(1, columns() - 1);
      const lines = isEnded ? [] : status(width);
      const rows = [tail === "" ? "" : endThatFits(tail, width), ...lines].filter((row) => row !== "");
      const frame = drawFrame(drawn, { above, rows }, isAnew);
      drawn = rows;
      isAnew = false;
      if (frame !== "") lastMs = now();
      return frame;
    },
    forget: () => void (isAnew = true),
    end: () => void (isEnded = true),
  };
}

/** Whole lines, and the unfinished one behind them unless it is too long or the last one. */
function splitLines(text: string, isLast: boolean): [string, string] {
  const end = text.lastIndexOf("\n") + 1;
  if (end === text.length || (!isLast && text.length - end <= tailCharsMax))
    return [text.slice(0, end), text.slice(end)];
  return [`${text}\n`, ""];
}

/** The newest words of a line that is still being written. */
function endThatFits(tail: string, width: number): string {
  const end = tail.replaceAll("\t", " ").slice(-width);
  return displayWidth(end) <= width ? end : end.slice(-Math.floor(width / 2));
}
