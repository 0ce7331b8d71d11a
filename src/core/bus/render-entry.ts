import { escapeDashLines } from "./dash-line.ts";
import { renderHeader } from "./entry-header.ts";
import { bodyBytesMax, headerBytesMax } from "./entry-limits.ts";
import type { BusMessage } from "./message.ts";

/** Text to bytes and their checksum; core itself has neither. */
export type EntryWriting = { encode: (text: string) => Uint8Array; crc32: (bytes: Uint8Array) => number };

/**
 * The bytes of one entry, to be appended by a single write. The newline they begin with ends whatever a killed writer
 * left unfinished before them. Null: header or body are longer than any reader takes.
 */
export function renderEntry(message: BusMessage, { encode, crc32 }: EntryWriting): Uint8Array | null {
  const wellFormed = message.body.toWellFormed();
  const escaped = escapeDashLines(wellFormed);
  const body = encode(escaped);
  const mark = { bytes: body.length, crc32: crc32(body), isEscaped: escaped !== wellFormed };
  const header = encode(`\n---\n${renderHeader(message, mark)}---\n`);
  if (header.length > headerBytesMax || body.length > bodyBytesMax) return null;
  const entry = new Uint8Array(header.length + body.length + 1);
  entry.set(header);
  entry.set(body, header.length);
  entry[entry.length - 1] = newline;
  return entry;
}

const newline = 10;
