import { createHash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { openRegularFile } from "../lib/read-text-file.ts";

/** Read at a time: an output of a check may be larger than what fits in memory. */
const chunkBytes = 1024 * 1024;

/** The sha256 of a file's content; null when it is not there. */
export function hashFile(path: string): string | null {
  const file = openRegularFile(path, "refuse");
  if (file === null) return null;
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer))
      hash.update(buffer.subarray(0, count));
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}
