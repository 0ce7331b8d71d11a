import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readTextFile } from "../lib/read-text-file.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";
import { isFolderOf } from "./session-file-name.ts";
import { readStoredRun } from "./session-run-files.ts";

/** A loop of a session whose folder is gone, or holds another run, and how far people have heard of it. */
export type LostLoop = { markPath: string; folderPath: string; isTold: boolean };

/** Says outside of all session folders that a session has a loop: should they be lost, people hear of it. Must not throw. */
export function markLoop(folderPath: string, startedAt: string): void {
  try {
    if (textOf(markOf(folderPath, "loop")) === startedAt) return;
    removeMark(folderPath);
    writeAtomicNow(markOf(folderPath, "loop"), startedAt);
  } catch {
    // The loop is stored; without its mark only a lost folder stays unnoticed.
  }
}

/** Removes the mark of a loop that has ended or lies aside; that of another loop stays. Must not throw. */
export function unmarkLoop(folderPath: string, startedAt: string | null): void {
  const isOf = (path: string): boolean => startedAt === null || textOf(path) === startedAt;
  try {
    if (kinds.some((kind) => isOf(markOf(folderPath, kind)))) removeMark(folderPath);
  } catch {
    // A folder that cannot be written: the loop is named once more.
  }
}

/** The loop of a session that was marked and is not stored any more; null when there is none. Must not throw. */
export function findLost(sessionsFolder: string, sessionId: string): LostLoop | null {
  return listLost(sessionsFolder).find(({ folderPath }) => isFolderOf(basename(folderPath), sessionId)) ?? null;
}

/** All loops that were marked and are not stored any more. Must not throw. */
export function listLost(sessionsFolder: string): LostLoop[] {
  const marks = marksOf(sessionsFolder);
  try {
    return readdirSync(marks).flatMap((name) => {
      const kind = kinds.find((each) => name.startsWith(`${each}.`));
      if (kind === undefined) return [];
      const [markPath, folderPath] = [join(marks, name), join(sessionsFolder, name.slice(kind.length + 1))];
      return isStored(folderPath, textOf(markPath)) ? [] : [{ markPath, folderPath, isTold: kind === "loop-told" }];
    });
  } catch {
    // No loop was ever marked, or the folder cannot be read: that is a fault of its own.
    return [];
  }
}

/** Remembers that people have heard of it: as the reason of a blocked stop, then by name, and that is the end of it. Must not throw. */
export function hearLost({ markPath, folderPath }: LostLoop, heard: "told" | "named"): void {
  try {
    if (heard === "told") renameSync(markPath, markOf(folderPath, "loop-told"));
    else removeMark(folderPath);
  } catch {
    // A folder that cannot be written: it is named again.
  }
}

/** A loop that is stored, or that is gone and was told of. */
const kinds = ["loop", "loop-told"] as const;

function markOf(folderPath: string, kind: (typeof kinds)[number]): string {
  return join(marksOf(dirname(folderPath)), `${kind}.${basename(folderPath)}`);
}

/** Beside the folder of all sessions, which may be lost as a whole. */
function marksOf(sessionsFolder: string): string {
  return `${sessionsFolder}-marks`;
}

/** A loop starts with a time, of a few characters. */
const markBytesMax = 1000;

function removeMark(folderPath: string): void {
  for (const kind of kinds) rmSync(markOf(folderPath, kind), { force: true });
}

function textOf(path: string): string | null {
  return readTextFile(path, { bytesMax: markBytesMax, links: "refuse" });
}

/** A run that cannot be used is kept aside and named by whoever reads it. */
function isStored(folderPath: string, startedAt: string | null): boolean {
  const stored = readStoredRun(folderPath);
  return typeof stored === "string" || stored?.record.loop.startedAt === startedAt;
}
