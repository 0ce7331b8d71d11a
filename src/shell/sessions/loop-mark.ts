import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../lib/read-text-file.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";
import { isFolderOf } from "./session-file-name.ts";
import { readStoredRun } from "./session-run-files.ts";

/** A loop of a session whose folder is gone, or holds another run, and how far people have heard of it. */
export type LostLoop = { markPath: string; folderPath: string; isTold: boolean };

/** Says beside the folder of a session that it has a loop: should the folder be lost, people hear of it. Must not throw. */
export function markLoop(folderPath: string, startedAt: string): void {
  try {
    removeMark(folderPath);
    writeAtomicNow(`${folderPath}${markEnd}`, startedAt);
  } catch {
    // The loop is stored; without its mark only a lost folder stays unnoticed.
  }
}

/** Removes the mark of a loop that has ended or lies aside; that of another loop stays. Must not throw. */
export function unmarkLoop(folderPath: string, startedAt: string | null): void {
  const isOf = (path: string): boolean => startedAt === null || textOf(path) === startedAt;
  try {
    if ([markEnd, toldEnd].some((end) => isOf(`${folderPath}${end}`))) removeMark(folderPath);
  } catch {
    // A folder that cannot be written: the loop is named once more.
  }
}

/** The loop of a session that was marked and is not stored any more; null when there is none. Must not throw. */
export function findLost(sessionsFolder: string, sessionId: string): LostLoop | null {
  try {
    for (const name of readdirSync(sessionsFolder)) {
      const end = [markEnd, toldEnd].find((each) => name.endsWith(each));
      const folder = end === undefined ? "" : name.slice(0, -end.length);
      if (!isFolderOf(folder, sessionId)) continue;
      const [markPath, folderPath] = [join(sessionsFolder, name), join(sessionsFolder, folder)];
      if (!isStored(folderPath, textOf(markPath))) return { markPath, folderPath, isTold: end === toldEnd };
    }
  } catch {
    // No session was ever stored, or the folder cannot be read: that is a fault of its own.
  }
  return null;
}

/** Remembers that people have heard of it: as the reason of a blocked stop, then by name, and that is the end of it. Must not throw. */
export function hearLost({ markPath, folderPath }: LostLoop, heard: "told" | "named"): void {
  try {
    if (heard === "told") renameSync(markPath, `${folderPath}${toldEnd}`);
    else removeMark(folderPath);
  } catch {
    // A folder that cannot be written: it is named again.
  }
}

const markEnd = ".loop";
const toldEnd = ".loop-told";

/** A loop starts with a time, of a few characters. */
const markBytesMax = 1000;

function removeMark(folderPath: string): void {
  for (const end of [markEnd, toldEnd]) rmSync(`${folderPath}${end}`, { force: true });
}

function textOf(path: string): string | null {
  return readTextFile(path, { bytesMax: markBytesMax, links: "refuse" });
}

/** A run that cannot be used is kept aside and named by whoever reads it. */
function isStored(folderPath: string, startedAt: string | null): boolean {
  const stored = readStoredRun(folderPath);
  return typeof stored === "string" || stored?.record.loop.startedAt === startedAt;
}
