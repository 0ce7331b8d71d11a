import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What an agent or a repository can put where a file is expected, by the words ralph has for it. */
export const oddThings = ["a pipe", "a device", "a folder", "too large"] as const;

/** Puts it there in place of whatever stands there. */
export function putThere(path: string, thing: (typeof oddThings)[number]): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (thing === "a pipe") execFileSync("mkfifo", [path]);
  if (thing === "a device") symlinkSync("/dev/zero", path);
  if (thing === "a folder") mkdirSync(path);
  if (thing !== "too large") return;
  writeFileSync(path, "");
  // Above every limit, and small enough for git to take it up in passing.
  truncateSync(path, 17 * 1024 * 1024);
}
