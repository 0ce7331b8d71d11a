import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Remembers which alerts a session has had (S4-37). It lies in a folder that others can write: nothing in it is believed. */
export type AlertFile = {
  /** The highest threshold that fired, 0 for none. */
  read(): number;
  /** False: it could not be kept, and the alert would come again. */
  write(threshold: number): boolean;
  /** Arms all alerts of this session again, and of no other (CW-4L). */
  remove(): void;
};

/** The alert file of a session in the temp folder; unsafe characters in its name are replaced. */
export function openAlertFile(folder: string, name: string): AlertFile {
  const path = join(folder, name.replaceAll(/[^\w-]/g, "_").slice(0, nameCharsMax));
  return {
    read() {
      const text = withFile(path, constants.O_RDONLY, (file) => readFileSync(file, "utf8").slice(0, 10)) ?? "";
      return /^\d{1,3}\s*$/.test(text) ? Number(text) : 0;
    },
    write: (threshold) =>
      withFile(path, constants.O_RDWR | constants.O_CREAT, (file) => {
        ftruncateSync(file, 0);
        writeSync(file, `${threshold}\n`, 0);
        return true;
      }) ?? false,
    remove() {
      try {
        rmSync(path, { force: true });
      } catch {
        // What is not ours to remove is not read either.
      }
    },
  };
}

/** File systems end a name at 255 bytes. */
const nameCharsMax = 200;

/** Null: there is none, or it is a link, not a file, or somebody else's. */
function withFile<Result>(path: string, flags: number, use: (file: number) => Result): Result | null {
  try {
    const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    try {
      const stat = fstatSync(file);
      const isOurs =
        stat.isFile() && stat.size <= bytesMax && (process.getuid === undefined || stat.uid === process.getuid());
      return isOurs ? use(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

const bytesMax = 4096;
