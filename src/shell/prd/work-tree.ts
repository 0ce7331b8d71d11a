import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { wholeTree } from "../git/trees/candidate.ts";
import type { Git } from "../git/git.ts";
import { changesBetween } from "../git/trees/known-changes.ts";
import { commitNow } from "../git/trees/head-now.ts";
import { type LookContext, withStore } from "../git/trees/look.ts";
import { describeFailure } from "../git/run-tool.ts";
import type { StoreContext } from "../git/run-git.ts";
import { workFiles } from "./folder/ralph-folder.ts";

/**
 * How a project's files stood at a moment. In git `tree` holds all of them but ignored ones and ralph's own, whether
 * committed or not; elsewhere `files` tells size and time of each.
 */
export type TreeLook = {
  /** Null outside git, and before the first commit. */
  head: string | null;
  /** Null outside git, or when git could not take every file. */
  tree: string | null;
  files: Record<string, string> | null;
  /** Paths that differ from HEAD; none outside git. */
  dirty: string[];
};

/** Where the files are: the project, and the folder of its task list, whose edits do not count as code. */
export type ListedTree = {
  /** In the user's repository. */
  git: Git;
  look: LookContext;
  /** The turn marker of the effect at work. */
  turnMarker: () => string;
  projectDir: string;
  ralphName: string;
};

/** Looks at the project. Neither the user's repository nor any file is changed. */
export async function lookAtTree(place: ListedTree): Promise<TreeLook> {
  const look = await withTrees(place, async (store) => {
    const head = await commitNow(store);
    const tree = await wholeTree(store).then(
      (staged) => staged.tree,
      () => null,
    );
    return { head, tree, files: null, dirty: await dirtyPaths(store, { head, tree }) };
    // On a full disk nobody can tell how the files stand, and so no review can be approved.
  }).catch((): TreeLook => ({ head: null, tree: null, files: null, dirty: [] }));
  if (look !== null) return look;
  return { head: null, tree: null, files: await fileTimes(place.projectDir, place.ralphName), dirty: [] };
}

async function dirtyPaths(store: StoreContext, { head, tree }: Pick<TreeLook, "head" | "tree">): Promise<string[]> {
  if (head === null || tree === null) return [];
  const { prefix } = store.store.start.repository;
  const own = ownPaths.map((path) => `${prefix}${path}`);
  const paths = (await changesBetween(store, "look", { from: head, to: tree })).map(({ path }) => path);
  return paths.filter((path) => !isUnder(path, own));
}

/** Uses the store that holds the trees of all looks of a run; null outside git. */
export function withTrees<Result>(tree: ListedTree, use: (store: StoreContext) => Promise<Result>) {
  return withStore(tree.look, { turnMarker: tree.turnMarker() }, use);
}

/** One path that differs between two trees; paths count from the top of the repository. */
export type TreeChange = { kind: "added" | "changed" | "deleted"; path: string };

/** What differs between two trees or commits. */
export async function treeChanges(
  tree: ListedTree,
  pair: readonly [string, string],
  paths: readonly string[],
): Promise<TreeChange[]> {
  if (pair[0] === pair[1]) return [];
  const changes = await withTrees(tree, (store) => changesIn(store, pair, paths));
  if (changes === null) throw new Error(`${tree.projectDir} is no longer in a git repository`);
  return changes;
}

/** The paths that differ between the trees of two looks of this run. */
export async function changedPaths(tree: ListedTree, from: string, to: string): Promise<string[]> {
  const changes = await withTrees(tree, (store) => changesBetween(store, "look", { from, to }));
  if (changes === null) throw new Error(`${tree.projectDir} is no longer in a git repository`);
  return changes.map(({ path }) => path);
}

async function changesIn(
  { git, store }: StoreContext,
  [from, to]: readonly [string, string],
  paths: readonly string[],
): Promise<TreeChange[]> {
  const words = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to, "--", ...paths];
  const end = await git(words, { env: store.env });
  if (end.exitCode !== 0) throw new Error(describeFailure("git diff-tree", end));
  const fields = end.stdout.split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push({ kind: changeKinds.get(fields[at] ?? "") ?? "changed", path: fields[at + 1] ?? "" });
  }
  return changes;
}

/** Git's letters; every other one is a change, of content or of kind. */
const changeKinds = new Map([
  ["A", "added" as const],
  ["D", "deleted" as const],
]);

/** What ralph itself writes beside the work. */
const ownPaths = [".ralph", ".ralph-active"];

/** Everything of the repository but that. */
const everything = [":/", ...ownPaths.map((path) => `:(exclude)${path}`)];

/**
 * Code and tests, as a review must leave them: neither the files of the task list nor the lasting notes that every
 * iteration may add to (S4-96).
 */
export function codePaths(ralphName: string): string[] {
  const notes = ["AGENTS.md", "CLAUDE.md", ".claude/rules/**"].map((name) => `:(exclude,top,glob)**/${name}`);
  return [...everything, ...listPaths(ralphName).map((path) => `:(exclude,literal)${path}`), ...notes];
}

/** The folder of the list; where that is the project itself, its files alone. */
function listPaths(ralphName: string): readonly string[] {
  return ralphName === "." ? workFiles : [ralphName];
}

/** Files that a turn changed or removed, outside git; new ones are the traces that every check leaves. */
export function fileChanges(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((path) => after[path] !== before[path]);
}

/** Files looked at outside git; a larger tree is compared by its first so many. */
const filesMax = 20_000;

async function fileTimes(projectDir: string, ralphName: string): Promise<Record<string, string>> {
  const entries = await readdir(projectDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectDir, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !isUnder(path, [...ownPaths, ...listPaths(ralphName)]) && !path.includes("node_modules/"))
    .toSorted()
    .slice(0, filesMax);
  const facts = await Promise.all(paths.map((path) => stat(join(projectDir, path)).catch(() => null)));
  return Object.fromEntries(paths.map((path, at) => [path, `${facts[at]?.size} ${facts[at]?.mtimeMs}`]));
}

function isUnder(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
