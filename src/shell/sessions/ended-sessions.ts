import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { endedFolderName, unusableFolderName } from "./session-file-name.ts";
import { unmarkLoop } from "./loop-mark.ts";
import { statIfThere } from "../lib/stat-if-there.ts";

/** Moves the folder of an ended loop out of the way of the next loop of its session. Only an import removes it. */
export function moveEnded(sessionsFolder: string, path: string, startedAt: string): void {
  const ended = join(sessionsFolder, endedFolderName);
  mkdirSync(ended, { recursive: true, mode: 0o700 });
  const name = `${basename(path)}.${startedAt.replaceAll(/[^0-9]/g, "")}`;
  const target = statIfThere(join(ended, name)) === null ? name : `${name}.${Date.now()}`;
  // First: a hook that is killed in between must not leave a mark of a loop that has ended.
  unmarkLoop(path, startedAt);
  renameSync(path, join(ended, target));
}

/** The folders of ended loops, in any order. */
export function listEnded(sessionsFolder: string): string[] {
  const ended = join(sessionsFolder, endedFolderName);
  return statIfThere(ended) === null ? [] : readdirSync(ended).map((name) => join(ended, name));
}

/** Removes one that is in the store. */
export function removeEnded(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Keeps one aside that could not be imported whole, and says where. */
export function keepUnusable(sessionsFolder: string, path: string): string {
  const folder = join(sessionsFolder, unusableFolderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, basename(path));
  // One that was kept before stays.
  const free = statIfThere(target) === null ? target : `${target}.${Date.now()}`;
  renameSync(path, free);
  return free;
}
