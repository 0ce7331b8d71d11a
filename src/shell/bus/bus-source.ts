import { createEntryParser } from "../../core/bus/entry-parser.ts";
import type { BusMessage } from "../../core/bus/message.ts";
import { entryCodec } from "./entry-codec.ts";
import type { OpenFile, SharedFiles } from "../ports.ts";
import { openForReading } from "./open-bus.ts";

/** An open bus file that is read on and on from where reading ended. */
export type BusSource = {
  /** Names the file as long as it is open; a path may come to name another one. */
  identity: string;
  size(): number;
  /** Reads up to a position in the file, or to its end. A file that shrank is read from its start again. */
  read(endBytes?: number): BusMessage[];
  /** What only more bytes could tell from half an entry, taken as whole. */
  settle(): BusMessage[];
  close(): void;
};

/** Bytes of one read; parsed as they come, so that memory stays flat. */
const chunkBytes = 1024 * 1024;

/** Opens a bus for reading from its start; null when it is not there. */
export function openSource(path: string, files: SharedFiles): BusSource | null {
  const opened = openForReading(path, files);
  return opened === null ? null : createSource(opened);
}

/** Takes over an open file; closing the source closes it. */
export function createSource(file: OpenFile): BusSource {
  let parser = createEntryParser(entryCodec, "start");
  let position = 0;
  return {
    identity: file.entry.identity,
    size: () => file.size(),
    read: (endBytes) => {
      const end = endBytes ?? file.size();
      if (end < position) {
        parser = createEntryParser(entryCodec, "start");
        position = 0;
      }
      const messages: BusMessage[] = [];
      position = readChunks(file, { start: position, end }, (chunk) => {
        for (const message of parser.push(chunk)) messages.push(message);
      });
      return messages;
    },
    settle: () => parser.settle(),
    close: () => file.close(),
  };
}

/** Hands out the bytes of a range and returns where they ended. A chunk is valid only during the call. */
export function readChunks(
  file: OpenFile,
  { start, end }: { start: number; end: number },
  take: (chunk: Uint8Array) => void,
): number {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - start)));
  let position = start;
  while (position < end) {
    const count = file.read(buffer.subarray(0, Math.min(buffer.length, end - position)), position);
    if (count === 0) break;
    take(buffer.subarray(0, count));
    position += count;
  }
  return position;
}
