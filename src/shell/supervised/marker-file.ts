import { rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";

/** A marker that is there, with the time it was last written. Its content is never read. */
export type Marker = { at: number };

/**
 * Looks for a marker file, DONE or WAIT_WITHOUT_RESTART. Null when it is missing. A directory of that name and a folder
 * that cannot be searched are errors: nobody can tell then what the agent meant.
 */
export async function readMarker(path: string): Promise<Marker | null> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return { at: found.mtimeMs };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new RalphError("supervised", `stat ${name}: ${reasonOf(error)}`, null, error);
  }
  throw new RalphError("supervised", `${name} is a directory`, `Remove the directory ${path}; ${name} must be a file.`);
}

/** Removes a marker, if it is there. */
export async function removeMarker(path: string): Promise<void> {
  await rm(path, { force: true });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
