import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ActiveReading, readActiveFile } from "../../core/tasks/task-file/read-active-file.ts";

/** A file of ours is a few kilobytes; a snapshot of a thousand tasks is a hundred. */
const bytesMax = 4 * 1024 * 1024;

/** What `.ralph-active` says, or null where there is none. One that cannot be read counts as one that says nothing. */
export function findActiveFile(projectDir: string): ActiveReading | null {
  const path = join(projectDir, ".ralph-active");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > bytesMax) return null;
  return readActiveFile(readFileSync(path, "utf8")) ?? readActiveFile("{}");
}
