import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { Disk } from "../ports.ts";
import { readBytesFile } from "../lib/read-text-file.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import type { Repository } from "./repository.ts";

/** The hooks of a repository as they were before the first turn. */
export type FrozenHooks = {
  /** `core.hooksPath` as configured then; null: the folder of the repository. */
  setting: string | null;
  /** Where the copies are. */
  copy: string;
  /** What each file held, by its path in the folder that was copied. */
  digests: Record<string, string>;
};

/** Where the hooks of a commit are, and what is not run of those that are there now. */
export type HooksNow = { path: string; refused: string[] };

/** A larger folder is not a set of hooks. */
const filesMax = 500;
const fileBytesMax = 4 * 1024 * 1024;
const depthMax = 4;

/** Copies the hooks into a folder that no agent writes to. */
export async function freezeHooks(
  disk: Pick<Disk, "writeAtomic">,
  place: { repository: Repository; setting: string | null; folder: string },
): Promise<FrozenHooks> {
  const { repository, setting, folder } = place;
  const { root } = hooksAt(repository, setting);
  const files = readFiles(root);
  for (const { name, bytes, mode } of files) await disk.writeAtomic(join(folder, name), bytes, mode);
  return { setting, copy: folder, digests: digestsOf(files) };
}

/**
 * The hooks a commit runs: those of the repository while each of them is as it was, else the copies. A hook that was
 * changed or added in a turn is not run and is named.
 */
export function hooksNow(frozen: FrozenHooks, repository: Repository, setting: string | null): HooksNow {
  const { root, path } = hooksAt(repository, frozen.setting);
  const now = digestsOf(readFiles(root));
  const isSame = Object.keys(frozen.digests).every((name) => now[name] === frozen.digests[name]);
  const changed = Object.keys(now).filter((name) => now[name] !== frozen.digests[name]);
  const refused = changed.map((name) => join(root, name));
  if (setting !== frozen.setting) refused.push(`core.hooksPath = ${setting ?? ""}`);
  return isSame && changed.length === 0
    ? { path, refused }
    : { path: join(frozen.copy, relative(root, path)), refused };
}

/** The folder of the hooks, and the one to copy: tools that keep hooks in the work tree have helpers beside them. */
function hooksAt({ top, commonDir }: Repository, setting: string | null): { root: string; path: string } {
  if (setting === null || setting === "") return { root: join(commonDir, "hooks"), path: join(commonDir, "hooks") };
  const path = resolve(top, setting.replace(/^~(?=\/)/, homedir()));
  const way = relative(top, dirname(path));
  const isBelowTop = way !== "" && way !== ".." && !way.startsWith("../");
  return { root: isBelowTop && !way.startsWith(".git") ? dirname(path) : path, path };
}

type HookFile = { name: string; bytes: Uint8Array; mode: number };

function readFiles(root: string): HookFile[] {
  const files: HookFile[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const name of namesIn(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (files.length >= filesMax || name.endsWith(".sample")) continue;
      if (isFolder(join(root, path))) {
        if (depth < depthMax) walk(path, depth + 1);
        continue;
      }
      const file = readFile(join(root, path));
      if (file !== null) files.push({ name: path, ...file });
    }
  };
  walk("", 1);
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // No hooks.
    return [];
  }
}

function isFolder(path: string): boolean {
  return statIfThere(path)?.isDirectory() === true;
}

/** A hook is often a link into the work tree, so links are followed; a pipe or a huge file is not a hook. */
function readFile(path: string): Omit<HookFile, "name"> | null {
  try {
    const bytes = readBytesFile(path, { bytesMax: fileBytesMax, links: "follow" });
    return bytes === null ? null : { bytes, mode: statSync(path).mode & 0o777 };
  } catch {
    return null;
  }
}

function digestsOf(files: readonly HookFile[]): Record<string, string> {
  return Object.fromEntries(
    files.map(({ name, bytes, mode }) => [
      name,
      createHash("sha256")
        .update(`${mode & 0o111} `)
        .update(bytes)
        .digest("hex"),
    ]),
  );
}
