import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { identityOf } from "./bus-source.ts";

/** How the name of a bus ends that was put aside. */
export const archiveEnding = ".archived";

/** The archives of a bus, oldest first. */
export function listArchives(path: string): string[] {
  return namesIn(dirname(path))
    .flatMap((name) => {
      const archive = join(dirname(path), name);
      const digits = stampDigits(archive, path);
      return digits === null ? [] : [{ digits, archive }];
    })
    .toSorted((first, second) => (first.digits < second.digits ? -1 : 1))
    .map(({ archive }) => archive);
}

/**
 * The archives older than an open bus, which may have been put aside since it was opened. The bus has to be opened
 * first and its archives listed then: the other way round, one put aside in between would be missed.
 */
export function archivesBefore(path: string, identity: string | null): string[] {
  const archives = listArchives(path);
  const own = archives.findIndex((archive) => identity !== null && identityAt(archive) === identity);
  return own < 0 ? archives : archives.slice(0, own);
}

/** The file a path names now; null when there is none. */
export function identityAt(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : identityOf(stat);
}

/**
 * The digits of an archive's stamp, to the millisecond. Archives of other tools may have coarser stamps, parted
 * otherwise; a file without a stamp is no archive.
 */
export function stampDigits(archive: string, path: string): string | null {
  const [name, prefix] = [basename(archive), `${basename(path)}.`];
  if (!name.startsWith(prefix) || !name.endsWith(archiveEnding)) return null;
  const digits = name.slice(prefix.length, -archiveEnding.length).replaceAll(/\D/g, "");
  return digits.length < 14 ? null : digits.slice(0, 17).padEnd(17, "0");
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  } catch {
    // A folder that is not there has no archives.
    return [];
  }
}
