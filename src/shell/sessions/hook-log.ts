import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "../../core/session/loop/loop-notice.ts";
import { createSharedFiles } from "../lib/shared-files.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import type { LoopLog } from "./loop-log.ts";

/** A full log is replaced by a new one and kept beside it: 2 MiB at most. */
const logBytesMax = 1024 * 1024;

const lineCharsMax = 4000;

/** The log of all hooks, a line of JSON each: hosts show nothing of what a hook prints. Must not throw. */
export function openHookLog(folder: string): LoopLog {
  return (line) => {
    try {
      append(join(folder, hookLogName), line);
    } catch {
      // Inside a sandbox the folder cannot be written; there is no other place to say so.
    }
  };
}

/** The log's name in the state folder. */
export const hookLogName = "hooks.log";

function append(path: string, { level, text, fields }: LogLine): void {
  const line = JSON.stringify({ at: new Date().toISOString(), level, text, ...fields }).slice(0, lineCharsMax);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const found = statIfThere(path);
  if (found !== null && found.size > logBytesMax) renameSync(path, `${path}.old`);
  if (found === null) writeFileSync(path, "", { flag: "a", mode: 0o600 });
  // A pipe in its place must not hold up the host.
  const file = createSharedFiles().open(path, "append");
  try {
    file?.append(Buffer.from(`${line}\n`));
  } finally {
    file?.close();
  }
}
