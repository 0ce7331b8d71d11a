import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { HeldOutCheck, HeldOutFile } from "../../core/contract/held-out-check.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { HeldOutEntry } from "../../core/verification/sealed/read-held-out.ts";
import { listFiles } from "../lib/list-files.ts";
import { readBytesFile } from "../lib/read-text-file.ts";
import { requireOutside } from "./held-out-file.ts";

/** Held-out checks as a run freezes them, with where their files come from. */
export type FrozenHeldOut = NonNullable<FrozenRun["heldOut"]>;

/** Tests and their data; more belongs into the project. */
const filesMax = 500;
const fileBytesMax = 16 * 1024 * 1024;

/** Looks up the files of held-out checks. Rejects for one that is not there, lies in the project or is too much. */
export async function freezeHeldOut(
  entries: readonly HeldOutEntry[],
  { folder, projectDir }: { folder: string; projectDir: string },
): Promise<FrozenHeldOut> {
  const frozen: FrozenHeldOut = [];
  for (const { name, command, hint, tasks, files } of entries) {
    const found = (await Promise.all(files.map((path) => filesAt(placeOf(path, folder), { name, projectDir })))).flat();
    if (found.length > filesMax)
      throw wrong(name, `has ${found.length} files, more than ${filesMax}`, "Name fewer files.");
    const paths = found.map(({ path }) => path);
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) throw wrong(name, `has two files ${twice}`, "Rename one of them.");
    const own: HeldOutFile[] = found.map(({ path, source }) => ({ path, hash: hashOf(contentOf(source, name)) }));
    frozen.push({ name, command, hint, tasks, files: own, sources: found.map(({ source }) => source) });
  }
  return frozen;
}

/** Copies them into the folder of a seal, for their owner alone. Rejects when one is not as it was looked up. */
export function keepHeldOut(folder: string, checks: FrozenHeldOut): void {
  for (const { name, files, sources } of checks) {
    for (const [index, { path, hash }] of files.entries()) {
      const bytes = contentOf(sources[index] ?? "", name);
      if (hashOf(bytes) !== hash) throw wrong(name, `has a file that changed meanwhile: ${path}`, "Start again.");
      const place = join(folder, name, path);
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      writeFileSync(place, bytes, { mode: 0o600 });
    }
  }
}

/** Reads the files of one check again. Throws when one is not as it was frozen. */
export function readKept(
  folder: string,
  { name, files }: Pick<HeldOutCheck, "name" | "files">,
): Map<string, Uint8Array> {
  return new Map(
    files.map(({ path, hash }) => {
      const bytes = readBytesFile(join(folder, name, path), { bytesMax: fileBytesMax, links: "refuse" });
      if (bytes === null || hashOf(bytes) !== hash)
        throw new RalphError("store", `A file of the held-out check "${name}" was changed.`, "Start a new run.");
      return [path, bytes] as const;
    }),
  );
}

type Found = { path: string; source: string };

/** A file by its name; a folder with all that it holds. */
async function filesAt(place: string, about: { name: string; projectDir: string }): Promise<Found[]> {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined) throw wrong(about.name, `names ${place}, which is not there`, "Correct its files.");
  requireOutside(place, about.projectDir);
  const source = realpathSync(place);
  if (!lstatSync(source).isDirectory()) return [{ path: basename(place), source }];
  const paths = await listFiles(source, new Set([".git", "node_modules"]));
  return paths.toSorted().map((path) => ({ path: join(basename(place), relative(source, path)), source: path }));
}

/** From the folder of the list, or from the home. */
function placeOf(path: string, folder: string): string {
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : join(folder, path);
}

function contentOf(source: string, name: string): Buffer {
  const bytes = readBytesFile(source, { bytesMax: fileBytesMax, links: "refuse" });
  if (bytes === null) throw wrong(name, `names ${source}, which is not there`, "Correct its files.");
  return bytes;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function wrong(name: string, what: string, hint: string): RalphError {
  return new RalphError("settings", `The held-out check "${name}" ${what}.`, hint);
}
