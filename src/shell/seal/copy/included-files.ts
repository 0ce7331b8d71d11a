import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { matchPaths } from "../../../core/verification/protect/path-glob.ts";
import { listFiles } from "../../lib/list-files.ts";
import { readBytesFile } from "../../lib/read-text-file.ts";

/** Files that are not part of the tree and that checks need, as they were at the seal. */
export type IncludedFiles = ReadonlyMap<string, Uint8Array>;

/** Fixtures and environments are small; a data set of this size belongs somewhere else. */
const fileBytesMax = 64 * 1024 * 1024;
const filesMax = 2_000;

/** Folders that are never searched: dependencies come another way, and the rest is nobody's fixture. */
export const skippedFolders: ReadonlySet<string> = new Set([
  ".git",
  ".ralph",
  "node_modules",
  ".venv",
  "venv",
  "target",
]);

/**
 * Copies the files that `seal.include` names into the folder of a seal, before the first turn, and returns their hashes for the
 * seal. Rejects for a glob that matches nothing or too much: a check would be red for a reason nobody sees.
 */
export async function sealIncluded(
  globs: readonly string[],
  { project, folder }: { project: string; folder: string },
): Promise<Record<string, string>> {
  const paths = (await listFiles(project, skippedFolders)).map((path) => relative(project, path));
  const hashes: Record<string, string> = {};
  for (const glob of globs) {
    const found = paths.filter(matchPaths([glob]));
    if (found.length === 0 || found.length > filesMax) {
      const message = `"${glob}" of seal.include matches ${found.length} files; between 1 and ${filesMax} are copied.`;
      throw new RalphError("settings", message, "Correct seal.include, or remove it from there.");
    }
    for (const path of found) {
      const bytes = readBytesFile(join(project, path), { bytesMax: fileBytesMax, links: "refuse" });
      if (bytes === null) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, path), bytes, { mode: 0o600 });
      hashes[path] = createHash("sha256").update(bytes).digest("hex");
    }
  }
  return hashes;
}

/** Reads them again for a copy. Rejects when one is not as it was sealed. */
export function readIncluded(folder: string, hashes: Readonly<Record<string, string>>): IncludedFiles {
  return new Map(
    Object.entries(hashes).map(([path, hash]) => {
      const bytes = readBytesFile(join(folder, path), { bytesMax: fileBytesMax, links: "refuse" });
      const isSame = bytes !== null && createHash("sha256").update(bytes).digest("hex") === hash;
      if (!isSame) throw new RalphError("store", `The sealed copy of ${path} was changed.`, "Start a new run.");
      return [path, bytes];
    }),
  );
}
