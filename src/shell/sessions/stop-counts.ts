import { rmSync } from "node:fs";
import { join } from "node:path";
import { noStops, type StopCounts } from "../../core/session/stops/stop-counts.ts";
import { parseOffset, type TranscriptOffset } from "../../core/session/transcript-offset.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { writeAtomicNow } from "../lib/write-atomic-now.ts";
import { sessionFileName } from "./session-file-name.ts";

/** The counts of a session in a file. Nothing here throws. */
export type StopCountsFile = {
  read(): StopCounts;
  /** How far the record of the session was read when its agent was last sent to work; null when that was not written. */
  readOffset(): TranscriptOffset | null;
  write(counts: StopCounts, offset?: TranscriptOffset | null): void;
  clear(): void;
};

/**
 * The counts of a session beside its state; where that cannot be written, in the temp folder. `unwritten` counts only
 * the stops of a loop whose state cannot be stored: no other verdict clears them.
 */
export function openStopCounts(
  folders: { sessionsFolder: string; tempFolder: string },
  sessionId: string,
  kind: "stops" | "unwritten" = "stops",
): StopCountsFile {
  const name = sessionFileName(sessionId).replace(/^session-/, `${kind}-`);
  const paths = [join(folders.sessionsFolder, name), join(folders.tempFolder, `ralph-${name}`)] as const;
  return {
    read: () => paths.map(readCounts).find((counts) => counts !== null) ?? noStops,
    // Only beside the state: what lies in the temp folder may be written by others.
    readOffset: () => parseOffset(readFields(paths[0])?.get("offset")),
    write: (counts, offset = null) => void paths.some((path) => writeCounts(path, { ...counts, offset })),
    clear: () => paths.forEach(remove),
  };
}

/** A reason and queued texts of their lengths, escaped, and a few numbers. */
const countsBytesMax = 64 * 1024;

function readCounts(path: string): StopCounts | null {
  const fields = readFields(path);
  if (fields === null) return null;
  const count = (name: string): number => {
    const found = fields.get(name);
    return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : 0;
  };
  const reason = fields.get("reason");
  return {
    blocks: count("blocks"),
    reason: typeof reason === "string" ? reason : "",
    equalReasons: count("equalReasons"),
    isUndelivered: fields.get("isUndelivered") === true,
  };
}

/** Null: it is not there, or not ours. */
function readFields(path: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readTextFile(path, { bytesMax: countsBytesMax, links: "refuse" }) ?? "");
    return typeof value === "object" && value !== null ? new Map<string, unknown>(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

function writeCounts(path: string, counts: StopCounts & { offset: TranscriptOffset | null }): boolean {
  try {
    writeAtomicNow(path, JSON.stringify(counts));
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder that cannot be written holds nothing of ours.
  }
}
