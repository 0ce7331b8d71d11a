import { basename, dirname } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { DiskEntry, SharedFiles } from "../ports.ts";

/** A file of a task that is there, with the time it was last written. It counts whatever it holds. */
export type TaskFile = { at: number };

/**
 * Looks for a file by which the agent speaks, DONE or WAIT_WITHOUT_RESTART. Null when it is missing. Whatever is no regular file, and a
 * folder that cannot be searched, are errors: nobody can tell then what the agent meant.
 */
export function readTaskFile(path: string, files: SharedFiles): TaskFile | null {
  const found = lookAt(path, files);
  if (found === null) return null;
  if (found.kind === "file") return { at: found.changedAt };
  const name = basename(path);
  const what = found.kind === "folder" ? "directory" : "link or special file";
  throw new RalphError("supervised", `${name} is a ${what}`, `Remove the ${what} ${path}; ${name} must be a file.`);
}

/** The file, or null also when nobody can tell. */
export function taskFileIfClear(path: string, files: SharedFiles): TaskFile | null {
  try {
    return readTaskFile(path, files);
  } catch {
    return null;
  }
}

function lookAt(path: string, files: SharedFiles): DiskEntry | null {
  try {
    const found = files.look(path);
    // A look below a file finds nothing, but a task whose folder became a file is not one without DONE.
    if (found === null && files.look(dirname(path))?.kind === "file") throw new Error(`${dirname(path)} is a file`);
    return found;
  } catch (error) {
    throw new RalphError("supervised", `stat ${basename(path)}: ${thrownText(error)}`, null, error);
  }
}
