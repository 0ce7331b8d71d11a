import { rmSync } from "node:fs";
import { join } from "node:path";
import { copyForTree, markFile } from "../index-file.ts";
import { linesOf } from "../listed-files.ts";
import type { StoreContext } from "../run-git.ts";
import { callerOf, lookSince } from "./quick-tree.ts";
import { foldersAbove } from "./strange-links.ts";
import type { StagedTree, StageRule } from "./stage-tree.ts";

/** What the last tree of a look was made of. */
type Made = {
  /** Paths that looks took, of which that look knew so many. */
  touched: readonly string[];
  touchedCount: number;
  without: string;
  /** How the files stood that the look had left out; null where they may change unseen. */
  marks: string | null;
  tree: string;
};

/** By the path of the look's index. */
const madeTrees = new Map<string, Made>();
const madeMax = 32;

/** Files of ours that git knows: settings and notes. With more of them a look of its own is as good. */
const leftKnownMax = 100;

/**
 * The tree of a rule that takes every path git knows, from a look at everything that began at `sinceUpMs` or later: it is
 * that look without the new files which the rule leaves out, and with those of ours that git knows. A second look at the
 * same files costs as much as the first, and could see others. Null where there was no such look.
 */
export async function treeOfLook(
  context: StoreContext,
  rule: StageRule,
  sinceUpMs: number,
): Promise<StagedTree | null> {
  const index = join(context.store.folder, "look");
  const look = lookSince(index, sinceUpMs);
  if (look === null || look.leftKnown.length > leftKnownMax) return null;
  const { touched, links, head, leftKnown } = look;
  const added = look.added.filter(rule.isNewTaken);
  const without = look.added.filter((path) => !rule.isNewTaken(path));
  const isLeft = new Set(without);
  const now = { without: without.join("\0"), marks: marksOf(context, leftKnown) };
  const former = madeTrees.get(index);
  const isAsBefore = former?.touched === touched && former.without === now.without && former.marks === now.marks;
  const isSame =
    isAsBefore && now.marks !== null && touched.slice(former.touchedCount).every((path) => isLeft.has(path));
  const tree = isSame ? former.tree : await writeTree(context, { index, tree: look.tree, without, leftKnown });
  if (madeTrees.size >= madeMax) madeTrees.clear();
  madeTrees.set(index, { ...now, touched, touchedCount: touched.length, tree });
  const paths = async (): Promise<string[]> => {
    const held = linesOf((await callerOf(context, index)(["ls-files", "-z"])).stdout);
    return [...held.filter((path) => !isLeft.has(path)), ...leftKnown];
  };
  return { tree, added, left: [...look.left, ...without], links, head, paths };
}

function marksOf({ store, disk }: StoreContext, paths: readonly string[]): string | null {
  const atMs = Date.now();
  const { top } = store.start.repository;
  // Behind a link the same file is not a file of this tree.
  const folders = new Set(paths.flatMap(foldersAbove));
  if ([...folders].some((folder) => disk.look(join(top, folder))?.kind !== "folder")) return null;
  const marks = paths.map((path) => markFile(join(top, path), atMs));
  return marks.every(({ isSure }) => isSure) ? marks.map(({ text }) => text).join("\0") : null;
}

type Parts = { index: string; tree: string; without: readonly string[]; leftKnown: readonly string[] };

/** In a copy of the index: the next look goes on from its own. */
async function writeTree(context: StoreContext, { index, tree, without, leftKnown }: Parts): Promise<string> {
  if (without.length === 0 && leftKnown.length === 0) return tree;
  const copy = `${index}-copy`;
  // A former driver may have died while it wrote.
  rmSync(`${copy}.lock`, { force: true });
  copyForTree(index, copy);
  try {
    const call = callerOf(context, copy);
    // Each option is for the paths behind it.
    const taken = ["--add", "--remove", "--replace", ...leftKnown.map((path) => `./${path}`)];
    const words = ["update-index", ...taken, "--force-remove", "-z", "--stdin"];
    await call(words, {}, without.map((path) => `${path}\0`).join(""));
    return (await call(["write-tree", "--missing-ok"])).stdout.trim();
  } finally {
    rmSync(copy, { force: true });
  }
}
