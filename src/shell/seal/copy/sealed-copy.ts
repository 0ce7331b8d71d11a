import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePassingFolder } from "../../lib/passing-folder.ts";
import { type CopyHistory, writeRepository } from "./copy-repository.ts";
import { removeTree } from "../../lib/remove-tree.ts";
import type { SealStore } from "./seal-store.ts";
import { writeInside } from "./write-inside.ts";

/** How a copy is made. */
export type SealedCopyOptions = {
  store: SealStore;
  /** The name of the project's folder: some programs take it for the name of the project. */
  name: string;
  history: CopyHistory;
  /** Files that git ignores and checks need, as they were at the seal: contents by path. */
  include: ReadonlyMap<string, Uint8Array>;
  /** Folders of the copy that dependencies are put into; they are left alone between two candidates. */
  dependencies: readonly string[];
  /** Of tests: where the copy lies. The temporary directory unless told. */
  parent?: string;
};

/** What a copy is to hold. `overlay`: contents in the place of files of the tree, or beside them. */
export type CopyContent = { tree: string; overlay?: ReadonlyMap<string, string | Uint8Array> };

/** A checkout that no agent has seen, in a folder of its own. One suite at a time uses it. */
export type SealedCopy = {
  /** The work tree. */
  folder: string;
  /** What the copy owns beside its work tree; the environment of checks leads there. */
  home: string;
  temporary: string;
  /** Everything of the copy; removed with it. */
  root: string;
  /** Makes it hold exactly `content`: what a suite left behind is gone. Rejects when it cannot. */
  prepare(content: CopyContent): Promise<void>;
  remove(): void;
};

let count = 0;

/** Opens a copy that holds nothing yet. The caller removes it; the copies of a killed process are removed by the next one. */
export function openSealedCopy(options: SealedCopyOptions): SealedCopy {
  const root = realpathSync(makePassingFolder("seal", options.parent));
  const place = {
    root,
    folder: join(root, options.name),
    home: join(root, "own/home"),
    temporary: join(root, "own/tmp"),
  };
  count += 1;
  // Of this process alone: copies side by side share a store.
  const index = `copy-${process.pid}-${count}.index`;
  let isFilled = false;
  const prepare = async (content: CopyContent): Promise<void> => {
    emptyFolder(place.home);
    emptyFolder(place.temporary);
    isFilled &&= await cleanCopy(options, place.folder, index);
    if (!isFilled) {
      removeTree(place.folder);
      rmSync(join(options.store.folder, index), { force: true });
      mkdirSync(place.folder, { mode: 0o700 });
    }
    isFilled = false;
    await options.store.call(["read-tree", "--reset", "-u", content.tree], { index, workTree: place.folder });
    await writeRepository(options, { folder: place.folder, index, tree: content.tree });
    for (const [path, bytes] of options.include) writeInside(place.folder, path, bytes, "new");
    for (const [path, own] of content.overlay ?? []) writeInside(place.folder, path, own, "replace");
    isFilled = true;
  };
  const remove = (): void => {
    removeTree(root);
    rmSync(join(options.store.folder, index), { force: true });
  };
  return { ...place, prepare, remove };
}

/**
 * Removes all that the tree does not hold, ignored files and repositories inside included. False when something could not be
 * removed: a suite may have taken the rights of its folders away, and the copy is made from nothing.
 */
async function cleanCopy(options: SealedCopyOptions, workTree: string, index: string): Promise<boolean> {
  const kept = options.dependencies.flatMap((path) => ["-e", `/${path.replaceAll(/[\\*?[\] !#]/g, String.raw`\$&`)}/`]);
  const clean = options.store.call(["clean", "-ffdxq", ...kept], { index, workTree });
  return clean.then(
    () => true,
    () => false,
  );
}

function emptyFolder(folder: string): void {
  removeTree(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
