import { join } from "node:path";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Disk } from "../ports.ts";
import type { Git } from "../git/git.ts";
import { commitNow } from "../git/trees/head-now.ts";
import { guardedGit } from "../git/guarded-git.ts";
import { findRepository } from "../git/repository.ts";
import { describeFailure, type ToolEnd } from "../git/run-tool.ts";
import {
  codePaths,
  lookAtTree,
  type TreeChange,
  treeChanges,
  type TreeLook,
  type ListedTree,
  withTrees,
} from "./work-tree.ts";

/** How the files stood before and after a review. */
export type ReviewSpan = { place: ListedTree; before: TreeLook; after: TreeLook };

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
  const head = await withTrees(place, commitNow);
  if (before.head === null || before.tree === null || after.tree === null || head === null) return null;
  const code = codePaths(place.ralphName);
  const changed = await treeChanges(place, [before.tree, after.tree], code);
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
    const git = await guarded(undo.place);
    const [head, tree, afterTree] = [before.head ?? "", before.tree ?? "", after.tree ?? ""];
    await keepPatch(undo, { head, tree, afterTree, afterHead: changes.head });
    await takeBackCommits({ ...undo, git }, head, changes.committed);
    await restoreFiles({ ...undo, git }, tree, changes.changed);
    return await whatIsLeft(undo, tree);
  } catch (error) {
    return thrownText(error);
  }
}

/** What was committed in the turn; a person's change, that lay in the tree before, may have been swept along. */
async function committedChanges(
  place: ListedTree,
  { before, tree, now }: { before: string; tree: string; now: string },
  code: readonly string[],
): Promise<TreeChange[]> {
  if (before === now) return [];
  const sinceCommit = await treeChanges(place, [before, now], code);
  const sinceTree = new Set((await treeChanges(place, [tree, now], code)).map(({ path }) => path));
  return sinceCommit.filter(({ path }) => sinceTree.has(path));
}

type Ends = { head: string; tree: string; afterTree: string; afterHead: string };

async function keepPatch({ place, patchName, disk, changes }: ReviewUndo, ends: Ends): Promise<void> {
  const { projectDir, ralphName } = place;
  const path = join(projectDir, patchName);
  // What was committed and taken back again in the work tree shows between the commits only.
  const pair = changes.changed.length === 0 ? [ends.head, ends.afterHead] : [ends.tree, ends.afterTree];
  // The folder is made with it, and nothing of an agent's stays at that name.
  await disk.writeAtomic(path, "");
  const words = ["diff", "--binary", "--no-ext-diff", "--no-textconv", `--output=${path}`, ...pair, "--"];
  const end = await withTrees(place, ({ git, store }) => git([...words, ...codePaths(ralphName)], { env: store.env }));
  if (end !== null) expectDone("git diff", end);
}

/** A commit on top with the paths as they were; what the turn committed stays in the history. */
async function takeBackCommits(undo: Undoing, head: string, committed: readonly TreeChange[]): Promise<void> {
  const { taskId } = undo;
  if (committed.length === 0) return;
  const added = pathsOf(committed, "added");
  const others = [...pathsOf(committed, "changed"), ...pathsOf(committed, "deleted")];
  if (added.length > 0) await callGit(undo.git, ["rm", "--quiet", "--force", "--ignore-unmatch"], added);
  if (others.length > 0) await callGit(undo.git, ["checkout", "--quiet", head], others);
  const message = `ralph: undo code changed in review of ${taskId}`;
  await callGit(undo.git, ["commit", "--quiet", "--no-verify", "--message", message, "--only"], [...added, ...others]);
}

/** The work tree as it was before the turn; what the turn staged is staged no more. */
async function restoreFiles(undo: Undoing, tree: string, changed: readonly TreeChange[]): Promise<void> {
  const { place, disk } = undo;
  const added = pathsOf(changed, "added");
  const others = [...pathsOf(changed, "changed"), ...pathsOf(changed, "deleted")];
  if (added.length > 0) {
    await callGit(undo.git, ["rm", "--cached", "--quiet", "--force", "--ignore-unmatch"], added);
    const top = findRepository(place.look.disk, place.projectDir)?.top ?? place.projectDir;
    for (const path of added) disk.remove(join(top, path));
  }
  if (others.length === 0) return;
  // The tree lies in our own store, and so does what its filters need to bring the files back.
  await withTrees(place, ({ git, store }) => {
    const env = { ...store.env, GIT_INDEX_FILE: join(store.folder, "look") };
    const call: Git = (words, options) => git(words, { ...options, env });
    return callGit(call, ["restore", "--quiet", `--source=${tree}`, "--worktree"], others);
  });
  // A path that was clean before is known to HEAD; of the others nobody knows what was staged.
  const wasDirty = new Set(undo.before.dirty);
  const clean = others.filter((path) => !wasDirty.has(path));
  if (clean.length > 0) await callGit(undo.git, ["restore", "--quiet", "--staged"], clean);
}

/** Looked at once more: an undo that is not whole must be named. */
async function whatIsLeft({ place, changes }: ReviewUndo, tree: string): Promise<string | null> {
  const now = await lookAtTree(place);
  if (now.tree === null) return "git could not tell how the files stand";
  const undone = new Set(changes.paths);
  const left = (await treeChanges(place, [tree, now.tree], codePaths(place.ralphName))).filter(({ path }) =>
    undone.has(path),
  );
  return left.length === 0 ? null : `still changed: ${left.map(({ path }) => path).join(", ")}`;
}

/** Paths go by standard input: a review may have touched more than an argument list holds. */
async function callGit(git: Git, words: readonly string[], paths: readonly string[]): Promise<void> {
  const stdin = paths.map((path) => `:(top,literal)${path}`).join("\0");
  const options = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  expectDone(`git ${words[0] ?? ""}`, await git([...words, ...options], { stdin }));
}

type Undoing = ReviewUndo & { git: Git };

/** Git in the user's repository, without what the review may have written into its configuration. */
function guarded({ git, look }: ListedTree): Promise<Git> {
  return look.folder === undefined ? Promise.resolve(git) : guardedGit(git, { ...look, folder: look.folder });
}

function pathsOf(changes: readonly TreeChange[], kind: TreeChange["kind"]): string[] {
  return changes.filter((change) => change.kind === kind).map(({ path }) => path);
}

function expectDone(what: string, end: ToolEnd): void {
  if (end.exitCode !== 0) throw new Error(describeFailure(what, end));
}
