import type { Clock, SharedFiles } from "../ports.ts";
import { archiveEnding, listArchives, stampDigits } from "./archives.ts";
import { type Identities, takeLockFile } from "../lib/lock-file.ts";
import { openForAppend, openForReading } from "./open-bus.ts";

/**
 * Puts a bus that has reached `rotateBytes` aside as `<bus>.<UTC stamp>.archived` and begins a new one. A writer that
 * still has the old file open appends to it, and readers read that. Returns the archive's path; null when the bus is
 * small again or somebody else is at it.
 */
export async function rotateBus(
  path: string,
  rotateBytes: number,
  { files, clock, identities }: { files: SharedFiles; clock: Clock; identities: Identities },
): Promise<string | null> {
  const lock = await takeLockFile({ path: `${path}.lock`, files, identities, clock, waitMs: 0 });
  if (lock === null) return null;
  try {
    const opened = openForReading(path, files);
    if (opened === null) return null;
    opened.close();
    if (opened.entry.bytes < rotateBytes) return null;
    const archive = `${path}.${nextStamp(path, clock.now(), files)}${archiveEnding}`;
    files.rename(path, archive);
    openForAppend(path, files).close();
    return archive;
  } finally {
    lock.release();
  }
}

/** Above every stamp there is, whatever the clock says: their order is the order of the messages. */
function nextStamp(path: string, now: number, files: SharedFiles): string {
  const newest = listArchives(path, files).at(-1);
  const digits = newest === undefined ? null : stampDigits(newest, path);
  const newestAt = Date.parse((digits ?? "").replace(stampParts, "$1-$2-$3T$4:$5:$6.$7Z"));
  const at = Number.isNaN(newestAt) ? now : Math.max(now, newestAt + 1);
  return new Date(at)
    .toISOString()
    .replaceAll(/[-:.Z]/g, "")
    .replace("T", "-");
}

const stampParts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/;
