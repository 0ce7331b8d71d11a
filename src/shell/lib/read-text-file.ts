import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";

/** How to read a file that an agent or a repository can write. */
export type ReadRules = {
  /** More bytes are refused. Say where the number comes from. */
  bytesMax: number;
  /** `follow`: people link this file to one they keep elsewhere. `refuse`: only ralph and the agent write it. */
  links: "follow" | "refuse";
};

/** Larger than any prompt an agent accepts (about four million tokens), and read in a few milliseconds. */
export const textBytesMax = 16 * 1024 * 1024;

/**
 * The text of a regular file. Never blocks: a pipe, a device, a folder and a file above the limit are refused with a
 * `RalphError` of code `file`. Null when there is no file. Loads nothing heavy: hooks use it too.
 */
export function readTextFile(path: string, rules: ReadRules): string | null {
  return readBytesFile(path, rules)?.toString("utf8") ?? null;
}

/** The same as bytes. */
export function readBytesFile(path: string, rules: ReadRules): Buffer | null {
  const file = openRegularFile(path, rules.links);
  if (file === null) return null;
  try {
    return readWhole(file, path, rules.bytesMax);
  } finally {
    closeSync(file);
  }
}

/** Opens a regular file for reading and returns its descriptor; refuses everything else. Null when it is not there. */
export function openRegularFile(path: string, links: ReadRules["links"]): number | null {
  // Opening a pipe waits for its writer, and opening a terminal can make it ours, unless these flags forbid it.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  const flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === "refuse" ? O_NOFOLLOW : 0);
  try {
    const file = openSync(path, flags);
    const stat = fstatSync(file);
    if (stat.isFile()) return file;
    closeSync(file);
    throw notRegular(path, kindOf(stat));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // A file in place of a folder on the way: there is no file at this path either.
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw asRefusal(path, error);
  }
}

/** The error people see for a file that cannot be read; one that says so already stays as it is. */
export function asRefusal(path: string, error: unknown): RalphError {
  if (error instanceof RalphError) return error;
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ELOOP" || code === "EMLINK") return notRegular(path, "a symbolic link");
  if (code === "ENXIO") return notRegular(path, "a socket, a pipe or a device");
  if (code === "EISDIR") return notRegular(path, "a folder");
  const reason = thrownText(error);
  return new RalphError("file", `${path} cannot be read: ${reason}.`, "Check the path and its permissions.", error);
}

/** The error for a file above its limit. */
export function tooLarge(path: string, { bytes, bytesMax }: { bytes: number; bytesMax: number }): RalphError {
  const message = `${path} is too large: ${bytes} bytes, at most ${bytesMax} are read.`;
  return new RalphError("file", message, "Make the file smaller.");
}

function notRegular(path: string, found: string): RalphError {
  const hint = "Put a regular file in its place, or remove it.";
  return new RalphError("file", `${path} is ${found}, not a regular file.`, hint);
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a pipe";
  return stat.isSocket() ? "a socket" : "a device";
}

// The size is only a first guess: the file may grow meanwhile, and some file systems report 0.
function readWhole(file: number, path: string, bytesMax: number): Buffer {
  const { size } = fstatSync(file);
  if (size > bytesMax) throw tooLarge(path, { bytes: size, bytesMax });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(size - bytes, 0) + 4096);
    const count = readSync(file, chunk, 0, chunk.length, bytes);
    // Mostly there is one: a copy of a large file takes as long as its reading.
    if (count === 0) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    bytes += count;
    if (bytes > bytesMax) throw tooLarge(path, { bytes, bytesMax });
    chunks.push(chunk.subarray(0, count));
  }
}
