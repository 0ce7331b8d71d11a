import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProbeContext } from "../namespace/bubblewrap.ts";
import { cacheNames, copyFolder, expectDone, type SealedDependencies } from "./dependencies.ts";
import type { Mount } from "../namespace/namespace.ts";
import { removeTree } from "../../lib/remove-tree.ts";
import type { SealedCopy } from "./sealed-copy.ts";

/** What a namespace has to mount so that a copy has its dependencies. Empty in a plain copy. */
export type DependencyMounts = { readOnly: Mount[]; caches: string[] };

/** Puts dependencies into a copy, after each time it was prepared. */
export type DependencyPlacer = { place(): Promise<DependencyMounts> };

/** Which dependencies go where. */
export type PlacerOptions = ProbeContext & {
  copy: SealedCopy;
  dependencies: SealedDependencies;
  hasNamespace: boolean;
};

/**
 * In a namespace dependencies are mounted read-only. In a plain copy, and where programs write into them, the copy gets files of
 * its own: made again when anything in them changed, so that no run prepares the ground for the next.
 */
export function createDependencyPlacer({
  copy,
  dependencies,
  hasNamespace,
  ...context
}: PlacerOptions): DependencyPlacer {
  const prints = new Map<string, string>();
  const copyIn = async (source: string, target: string): Promise<void> => {
    removeTree(target);
    mkdirSync(join(target, ".."), { recursive: true });
    await copyFolder(source, target, context);
    await expectDone(["chmod", "-R", "u+w", target], context);
  };
  return {
    place: async () => {
      const mounts: DependencyMounts = { readOnly: [], caches: [] };
      for (const { path, source, isWritten } of dependencies.folders) {
        const target = join(copy.folder, path);
        if (hasNamespace && !isWritten) {
          removeTree(target);
          mkdirSync(target, { recursive: true });
          mounts.readOnly.push({ source, target });
          if (basename(path) === "node_modules") mounts.caches.push(...cacheNames.map((name) => join(target, name)));
          continue;
        }
        const print = prints.get(path);
        if (print !== undefined && !isWritten && print === folderPrint(target)) continue;
        await copyIn(source, target);
        if (!isWritten) prints.set(path, folderPrint(target));
      }
      return mounts;
    },
  };
}

/**
 * Names the state of a folder without reading its files: names, sizes, inodes and times, of which nobody can set the time of a
 * change. Empty when it is not there.
 */
export function folderPrint(folder: string): string {
  const hash = createHash("sha256");
  const stack = [folder];
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return "";
    hash.update(`${path}\0${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}\n`);
    if (stat.isDirectory()) for (const name of readdirSync(path).toSorted()) stack.push(join(path, name));
  }
  return hash.digest("hex");
}
