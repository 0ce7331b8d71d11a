import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { isFolderOf, sessionFileName } from "./session-file-name.ts";

/** Stands in the name of a session's folder, or its file of an earlier version, that could not be used and lies aside. */
export const brokenMark = ".corrupt-";

/** How far people have heard of a file that lies aside: not at all, or as the reason of a blocked stop. */
export type BrokenSession = { path: string; isTold: boolean };

/** The file of this session that lies aside and is still to be named; null when there is none. Must not throw. */
export function findBroken(folder: string, sessionId: string): BrokenSession | null {
  const name = asideOf(folder, sessionId).find((each) => !each.endsWith(namedEnd));
  return name === undefined ? null : { path: join(folder, name), isTold: name.endsWith(toldEnd) };
}

/**
 * Remembers that people have heard of it: first as the reason of a blocked stop, then by name. Returns where it is kept
 * from then on. Must not throw.
 */
export function markBroken(broken: BrokenSession, heard: "told" | "named"): string {
  const path = broken.path.replace(new RegExp(`${toldEnd}$`), "");
  const marked = `${path}${heard === "told" ? toldEnd : namedEnd}`;
  try {
    renameSync(broken.path, marked);
    return marked;
  } catch {
    // A folder that cannot be written: it is named again.
    return broken.path;
  }
}

/** Everything that lies aside, by its name. Must not throw. */
export function listAside(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.includes(brokenMark));
  } catch {
    // No session was ever stored.
    return [];
  }
}

const toldEnd = ".told";
const namedEnd = ".named";

function asideOf(folder: string, sessionId: string): string[] {
  return listAside(folder).filter((name) => {
    const [whole = ""] = name.split(brokenMark);
    return whole === sessionFileName(sessionId) || isFolderOf(whole, sessionId);
  });
}
