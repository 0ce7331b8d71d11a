import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { DiskEntry, OpenFile, SharedFiles } from "../ports.ts";
import { lstatIfThere } from "./stat-if-there.ts";

/** The files of this machine that other programs write too. */
export function createSharedFiles(): SharedFiles {
  return { look, list, open, createOnce, rename: renameSync, remove: (path) => rmSync(path, { force: true }) };
}

/** The code of what the system said, or null. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}

function look(path: string): DiskEntry | null {
  const stat = lstatIfThere(path);
  return stat === null ? null : entryOf(stat);
}

function list(folder: string): { name: string; kind: DiskEntry["kind"] }[] | null {
  return unlessMissing(() =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  );
}

// Without following a link at the end of the path, and without hanging on a pipe nobody reads.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const flagsOf = {
  read: constants.O_RDONLY | careful,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | careful,
};

function open(path: string, purpose: "read" | "append"): OpenFile | null {
  const file = unlessMissing(() => openSync(path, flagsOf[purpose], 0o644));
  if (file === null) return null;
  const entry = entryOf(fstatSync(file));
  if (entry.kind !== "file") {
    closeSync(file);
    throw Object.assign(new Error(`ENXIO: not a regular file, open '${path}'`), { code: "ENXIO" });
  }
  return {
    entry,
    size: () => fstatSync(file).size,
    read: (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
    append: (bytes) => writeSync(file, bytes),
    close: () => closeSync(file),
  };
}

function createOnce(path: string, text: string): boolean {
  try {
    const file = openNew(path);
    try {
      writeSync(file, text);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function openNew(path: string): number {
  const first = unlessMissing(() => openSync(path, "wx", 0o644));
  if (first !== null) return first;
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, "wx", 0o644);
}

function unlessMissing<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function entryOf(stat: Stats): DiskEntry {
  return { kind: kindOf(stat), bytes: stat.size, changedAt: stat.mtimeMs, identity: `${stat.dev}:${stat.ino}` };
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): DiskEntry["kind"] {
  if (found.isFile()) return "file";
  return found.isDirectory() ? "folder" : "other";
}
