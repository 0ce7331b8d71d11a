import { join } from "node:path";
import type { Disk } from "../ports.ts";
import { describeFailure, type ToolEnd } from "../git/run-tool.ts";
import {
  codePaths,
  lookAtTree,
  quietGit,
  type TreeChange,
  treeChanges,
  type TreeLook,
  type TreePlace,
} from "./work-tree.ts";

/** How the files stood before and after a review. */
export type ReviewSpan = { place: TreePlace; before: TreeLook; after: TreeLook };

/** The code that a review changed, by its work tree and by its commits; null: nobody can tell. */
export type CodeChanges = { changed: TreeChange[]; committed: TreeChange[]; paths: string[]; head: string };

/** What has to be undone, and where its patch is kept (relative to the project). */
export type ReviewUndo = ReviewSpan & {
  disk: Pick<Disk, "remove" | "writeAtomic">;
  taskId: string;
  changes: CodeChanges;
  patchName: string;
};

/** Looks for code that a review changed. Changes nothing. */
export async function findCodeChanges({ place, before, after }: ReviewSpan): Promise<CodeChanges | null> {
  const head = await headOf(place);
  if (before.head === null || before.tree === null || after.tree === null || head === null) return null;
  const code = codePaths(place.ralphName);
  const changed = await treeChanges(place.tool, [before.tree, after.tree], code);
  const committed = await committedChanges(place, { before: before.head, tree: before.tree, now: head }, code);
  const paths = [...new Set([...changed, ...committed].map(({ path }) => path))];
  return { changed, committed, paths, head };
}

/**
 * Undoes the code that a review changed: the change is kept as a patch, the files come back as they were before the turn
 * (also what was not committed then), and what was committed is taken back by a commit, never by a reset. Returns what
 * went wrong. Must not reject.
 */
export async function undoReview(undo: ReviewUndo): Promise<string | null> {
  const { before, after, changes } = undo;
  try {
    const [head, tree, afterTree] = [before.head ?? "", before.tree ?? "", after.tree ?? ""];
    await keepPatch(undo, { head, tree, afterTree, afterHead: changes.head });
    await takeBackCommits(undo, head, changes.committed);
    await restoreFiles(undo, tree, changes.changed);
    return await whatIsLeft(undo, tree);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What was committed in the turn; a person's change, that lay in the tree before, may have been swept along. */
async function committedChanges(
  { tool }: TreePlace,
  { before, tree, now }: { before: string; tree: string; now: string },
  code: readonly string[],
): Promise<TreeChange[]> {
  if (before === now) return [];
  const sinceCommit = await treeChanges(tool, [before, now], code);
  const sinceTree = new Set((await treeChanges(tool, [tree, now], code)).map(({ path }) => path));
  return sinceCommit.filter(({ path }) => sinceTree.has(path));
}

type Ends = { head: string; tree: string; afterTree: string; afterHead: string };

async function keepPatch({ place, patchName, disk, changes }: ReviewUndo, ends: Ends): Promise<void> {
  const { tool, projectDir, ralphName } = place;
  const path = join(projectDir, patchName);
  // What was committed and taken back again in the work tree shows between the commits only.
  const pair = changes.changed.length === 0 ? [ends.head, ends.afterHead] : [ends.tree, ends.afterTree];
  // The folder is made with it, and nothing of an agent's stays at that name.
  await disk.writeAtomic(path, "");
  const words = ["diff", "--binary", "--no-ext-diff", "--no-textconv", `--output=${path}`, ...pair, "--"];
  expectDone("git diff", await tool([...quietGit, ...words, ...codePaths(ralphName)]));
}

/** A commit on top with the paths as they were; what the turn committed stays in the history. */
async function takeBackCommits(undo: ReviewUndo, head: string, committed: readonly TreeChange[]): Promise<void> {
  const { taskId } = undo;
  if (committed.length === 0) return;
  const added = pathsOf(committed, "added");
  const others = [...pathsOf(committed, "changed"), ...pathsOf(committed, "deleted")];
  if (added.length > 0) await git(undo, ["rm", "--quiet", "--force", "--ignore-unmatch"], added);
  if (others.length > 0) await git(undo, ["checkout", "--quiet", head], others);
  const message = `ralph: undo code changed in review of ${taskId}`;
  await git(undo, ["commit", "--quiet", "--no-verify", "--message", message, "--only"], [...added, ...others]);
}

/** The work tree as it was before the turn; what the turn staged is staged no more. */
async function restoreFiles(undo: ReviewUndo, tree: string, changed: readonly TreeChange[]): Promise<void> {
  const { place, disk } = undo;
  const added = pathsOf(changed, "added");
  const others = [...pathsOf(changed, "changed"), ...pathsOf(changed, "deleted")];
  if (added.length > 0) {
    await git(undo, ["rm", "--cached", "--quiet", "--force", "--ignore-unmatch"], added);
    const top = await place.tool([...quietGit, "rev-parse", "--show-toplevel"]);
    expectDone("git rev-parse", top);
    for (const path of added) disk.remove(join(top.stdout.trim(), path));
  }
  if (others.length === 0) return;
  await git(undo, ["restore", "--quiet", `--source=${tree}`, "--worktree"], others);
  // A path that was clean before is known to HEAD; of the others nobody knows what was staged.
  const wasDirty = new Set(undo.before.dirty);
  const clean = others.filter((path) => !wasDirty.has(path));
  if (clean.length > 0) await git(undo, ["restore", "--quiet", "--staged"], clean);
}

/** Looked at once more: an undo that is not whole must be named. */
async function whatIsLeft({ place, changes }: ReviewUndo, tree: string): Promise<string | null> {
  const now = await lookAtTree(place);
  if (now.tree === null) return "git could not tell how the files stand";
  const undone = new Set(changes.paths);
  const left = (await treeChanges(place.tool, [tree, now.tree], codePaths(place.ralphName))).filter(({ path }) =>
    undone.has(path),
  );
  return left.length === 0 ? null : `still changed: ${left.map(({ path }) => path).join(", ")}`;
}

/** Paths go by a file: a review may have touched more than an argument list holds. */
async function git({ place, disk, patchName }: ReviewUndo, words: readonly string[], paths: readonly string[]) {
  const list = join(place.projectDir, `${patchName}.paths`);
  await disk.writeAtomic(list, paths.map((path) => `:(top,literal)${path}`).join("\0"));
  try {
    const options = [`--pathspec-from-file=${list}`, "--pathspec-file-nul"];
    expectDone(`git ${words[0] ?? ""}`, await place.tool([...quietGit, ...words, ...options]));
  } finally {
    disk.remove(list);
  }
}

async function headOf({ tool }: TreePlace): Promise<string | null> {
  const end = await tool([...quietGit, "rev-parse", "--verify", "--quiet", "HEAD"]);
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

function pathsOf(changes: readonly TreeChange[], kind: TreeChange["kind"]): string[] {
  return changes.filter((change) => change.kind === kind).map(({ path }) => path);
}

function expectDone(what: string, end: ToolEnd): void {
  if (end.exitCode !== 0) throw new Error(describeFailure(what, end));
}
