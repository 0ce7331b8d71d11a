import { closeSync, openSync } from "node:fs";
import type { Writable } from "node:stream";

/** Standard output as the scripted agent uses it. A reader that went away ends nothing: later words are dropped. */
export type Outlet = {
  /** Resolves when the words are handed over, so nothing piles up in memory. Must not reject. */
  write(text: string): Promise<void>;
  /** Ends the stream for the reader while the process lives on. */
  close(): void;
};

/** Opens an outlet on a stream. */
export function openOutlet(stream: Writable): Outlet {
  let isOpen = true;
  stream.on("error", () => {
    isOpen = false;
  });
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (isOpen) stream.write(text, () => resolve());
        else resolve();
      }),
    close: () => {
      isOpen = false;
      if (stream === process.stdout) closeStandardOutput();
      else stream.end();
    },
  };
}

/** Ending `process.stdout` leaves its descriptor open; the null device takes its number so that no other file does. */
function closeStandardOutput(): void {
  closeSync(1);
  openSync("/dev/null", "w");
}
