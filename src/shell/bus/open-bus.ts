import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { RalphError } from "../../core/ralph-error.ts";

/** An open bus file. */
export type OpenFile = { file: number; stat: Stats };

// Without following a link at the end of the path, and without hanging on a pipe nobody reads.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a bus for appending; makes it when it is not there. Links and whatever is no regular file are refused. */
export function openForAppend(path: string): OpenFile {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | careful;
  const opened = openRegular(path, flags);
  if (opened === null) throw new RalphError("bus", `The folder of the message bus ${path} does not exist.`);
  return opened;
}

/** Opens a bus for reading; null when it is not there. */
export function openForReading(path: string): OpenFile | null {
  return openRegular(path, constants.O_RDONLY | careful);
}

function openRegular(path: string, flags: number): OpenFile | null {
  const file = openOrRefuse(path, flags);
  if (file === null) return null;
  const stat = fstatSync(file);
  if (stat.isFile()) return { file, stat };
  closeSync(file);
  throw notRegular(path);
}

function openOrRefuse(path: string, flags: number): number | null {
  try {
    return openSync(path, flags, 0o644);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    if (code === "ELOOP" || code === "EMLINK")
      throw new RalphError("bus", `The message bus ${path} is a symbolic link; links are not followed.`, linkHint);
    if (code === "EISDIR" || code === "ENXIO") throw notRegular(path);
    const reason = error instanceof Error ? error.message : String(error);
    throw new RalphError("bus", `The message bus ${path} cannot be opened: ${reason}`, null, error);
  }
}

const linkHint = "Name the file itself.";

function notRegular(path: string): RalphError {
  return new RalphError(
    "bus",
    `The message bus ${path} is not a regular file.`,
    "Name a file, or one that is not there yet.",
  );
}
