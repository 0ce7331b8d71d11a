import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLeftTemporary, temporaryFor } from "./temporary-file.ts";

/**
 * Writes a file of this user alone, whole or not at all, before it returns: for hooks, which answer and end. What killed
 * hooks left beside it is removed.
 */
export function writeAtomicNow(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder).filter(isLeftTemporary)) removeIfPossible(join(folder, name));
  const temporary = temporaryFor(path);
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeIfPossible(temporary);
    throw error;
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It belongs to another user, or is a folder somebody made.
  }
}
