import type { OpenFile, SharedFiles } from "../ports.ts";
import { asRefusal, tooLarge } from "./read-text-file.ts";

/** Records, notes and locks are a few kilobytes; whoever made one larger did not mean a record. */
const bytesMax = 1024 * 1024;

/**
 * The text of a small file that an agent may have written: a link is not followed, a pipe does not hold us up, a flood
 * is not read. Null for a missing file; throws for everything but a small regular file.
 */
export function readSharedText(path: string, files: SharedFiles): string | null {
  const file = openOrRefuse(path, files);
  if (file === null) return null;
  try {
    const { bytes } = file.entry;
    if (bytes > bytesMax) throw tooLarge(path, { bytes, bytesMax });
    return readWhole(file);
  } finally {
    file.close();
  }
}

function openOrRefuse(path: string, files: SharedFiles): OpenFile | null {
  try {
    return files.open(path, "read");
  } catch (error) {
    throw asRefusal(path, error);
  }
}

function readWhole(file: OpenFile): string {
  const buffer = Buffer.alloc(file.entry.bytes);
  let length = 0;
  while (length < buffer.length) {
    const count = file.read(buffer.subarray(length), length);
    if (count === 0) break;
    length += count;
  }
  return buffer.toString("utf8", 0, length);
}
