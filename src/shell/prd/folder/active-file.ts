import { join } from "node:path";
import { type ActiveLoop, findActiveEdit, formatActiveFile, pidOfActiveFile } from "../../../core/prd/active-file.ts";
import type { SharedFiles, Disk } from "../../ports.ts";
import { readSharedText } from "../../lib/read-shared-text.ts";

/** `.ralph-active` of a loop while it runs. The store's lock is what counts; this file is for hooks and people. */
export type ActiveFile = {
  /** Writes the file for the turn that comes. */
  write(loop: Omit<ActiveLoop, "pid">): Promise<void>;
  /** What an agent did to the file since, as a sentence; it is as it was again. Null: nothing. */
  mend(): Promise<string | null>;
  /** Removes the file if it names this process. */
  remove(): void;
};

/** Opens the active file of a project. `pid` is this process's. */
export function openActiveFile(disk: Disk, projectDir: string, pid: number): ActiveFile {
  const path = join(projectDir, ".ralph-active");
  let written: string | null = null;
  return {
    async write(loop) {
      const text = formatActiveFile({ ...loop, pid });
      // What cannot be written was not edited by anybody, and what stands there tells of a turn that is over.
      written = null;
      clear(disk, path);
      try {
        await disk.writeAtomic(path, text);
      } catch (error) {
        disk.remove(path);
        throw error;
      }
      written = text;
    },
    async mend() {
      if (written === null) return null;
      const edit = findActiveEdit(written, readOrEmpty(path, disk));
      if (edit === null) return null;
      clear(disk, path);
      await disk.writeAtomic(path, written);
      return edit;
    },
    remove() {
      if (pidOfActiveFile(readOrEmpty(path, disk) ?? "") === pid) disk.remove(path);
    },
  };
}

/** The process named by a leftover active file, or null, so that it can be reported before the file is written again. */
export function findFormerActiveFile(disk: SharedFiles, projectDir: string): { pid: number | null } | null {
  const text = readOrEmpty(join(projectDir, ".ralph-active"), disk);
  return text === null ? null : { pid: pidOfActiveFile(text) };
}

/** A rename onto a folder fails; nobody but an agent makes one there, and an empty name can be had again. */
function clear(disk: Disk, path: string): void {
  if (disk.look(path)?.kind === "folder") disk.rename(path, `${path}.${Math.random().toString(36).slice(2, 8)}`);
}

/** Null without a file; anything but a small regular file reads as empty. */
function readOrEmpty(path: string, disk: SharedFiles): string | null {
  try {
    return readSharedText(path, disk);
  } catch {
    // A link, a folder, a flood: not what was written.
    return "";
  }
}
