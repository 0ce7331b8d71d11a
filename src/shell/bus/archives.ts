import { basename, dirname, join } from "node:path";
import type { SharedFiles } from "../ports.ts";

/** How the name of a bus ends that was put aside. */
export const archiveEnding = ".archived";

/** The archives of a bus, oldest first. */
export function listArchives(path: string, files: SharedFiles): string[] {
  return namesIn(dirname(path), files)
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
export function archivesBefore(path: string, identity: string | null, files: SharedFiles): string[] {
  const archives = listArchives(path, files);
  const own = archives.findIndex((archive) => identity !== null && identityAt(archive, files) === identity);
  return own < 0 ? archives : archives.slice(0, own);
}

/** The file at a path now; null without one. */
export function identityAt(path: string, files: SharedFiles): string | null {
  return files.look(path)?.identity ?? null;
}

/**
 * The digits of an archive's stamp, to the millisecond. Archives of other tools may have coarser stamps, parted
 * otherwise; a file without a stamp is not an archive.
 */
export function stampDigits(archive: string, path: string): string | null {
  const [name, prefix] = [basename(archive), `${basename(path)}.`];
  if (!name.startsWith(prefix) || !name.endsWith(archiveEnding)) return null;
  const digits = name.slice(prefix.length, -archiveEnding.length).replaceAll(/\D/g, "");
  return digits.length < 14 ? null : digits.slice(0, 17).padEnd(17, "0");
}

function namesIn(folder: string, files: SharedFiles): string[] {
  try {
    return (files.list(folder) ?? []).filter(({ kind }) => kind === "file").map(({ name }) => name);
  } catch {
    // A folder that cannot be searched has no archives.
    return [];
  }
}
