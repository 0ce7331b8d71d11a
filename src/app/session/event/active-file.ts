import { join } from "node:path";
import { type ActiveReading, readActiveFile } from "../../../core/prd/read-active-file.ts";
import { readTextFile } from "../../../shell/lib/read-text-file.ts";

/** A file of ours is a few kilobytes; a snapshot of a thousand tasks is a hundred. */
const bytesMax = 4 * 1024 * 1024;

/** What `.ralph-active` says, or null where there is none. One that cannot be read counts as one that says nothing. */
export function findActiveFile(projectDir: string): ActiveReading | null {
  const text = textOf(join(projectDir, ".ralph-active"));
  return text === null ? null : (readActiveFile(text) ?? readActiveFile("{}"));
}

/** Null for anything that is not a file of ours: an agent can put a pipe or a flood there. */
function textOf(path: string): string | null {
  try {
    return readTextFile(path, { bytesMax, links: "follow" });
  } catch {
    return null;
  }
}
