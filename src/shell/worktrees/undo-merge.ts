import type { WorkGit } from "./git-tool.ts";
import { describeFailure } from "../git/run-tool.ts";
import type { MergeRequest } from "./merge-task.ts";

/** The merge commit of ours that brought a task in since `before`; null: a person merged it, or nothing was to merge. */
export async function findMerge(
  git: WorkGit,
  { projectDir, worktree, title }: MergeRequest,
  before: string | null,
): Promise<string | null> {
  const tip = await commitOf(git, projectDir, `refs/heads/${worktree.branch}`);
  if (before === null || tip === null || (await commitOf(git, projectDir, "HEAD")) === before) return null;
  const range = `${before}..HEAD`;
  const log = await git(projectDir, "log", "--first-parent", "--merges", "--format=%H %P %s", range);
  for (const line of log.stdout.trim().split("\n")) {
    const [merge = "", , second = "", ...subject] = line.split(" ");
    // After a kill the branch may already have moved on to the merge itself.
    if (subject.join(" ") === title && (second === tip || merge === tip)) return merge;
  }
  return null;
}

/** What came of an undo: null and the commit where the branch is left, or why not, and then nothing has changed. */
export type UndoneMerge = { problem: string | null; tip: string | null };

/**
 * Takes one merge out of the branch it was made on; the task's branch keeps its work on top of what it was merged with,
 * so that its coder meets what was red. May be repeated after a kill.
 *
 * A merge that is still HEAD and that nobody else has seen is taken back. Under commits of people, or pushed, it is
 * reverted: their history stays as it is.
 */
export async function undoMerge(git: WorkGit, request: MergeRequest, merge: string): Promise<UndoneMerge> {
  const { projectDir, into } = request;
  const refused = (problem: string): UndoneMerge => ({ problem, tip: null });
  const branch = await git(projectDir, "symbolic-ref", "--quiet", "--short", "HEAD");
  if (branch.stdout.trim() !== into) return refused(`${projectDir} is no longer on the branch ${into}.`);
  const takenBack = async (): Promise<UndoneMerge> => {
    await keepOnBranch(git, request, merge);
    return { problem: null, tip: await commitOf(git, projectDir, `${merge}^1`) };
  };
  if (!(await isAncestor(git, projectDir, merge))) return takenBack();
  const isLast = (await commitOf(git, projectDir, "HEAD")) === merge;
  const known = await git(projectDir, "branch", "--remotes", "--contains", merge);
  if (isLast && known.stdout.trim() === "") {
    const reset = await git(projectDir, "reset", "--quiet", "--keep", `${merge}^1`);
    return reset.exitCode === 0 ? takenBack() : refused(describeFailure("git reset", reset));
  }
  const why = (await revertOnce(git, request, merge)) ?? (await renewBranch(git, request, merge));
  return why === null ? { problem: null, tip: await commitOf(git, projectDir, "HEAD") } : refused(why);
}

/** Lets the coder of a task see what its work was merged with. What fails leaves the work tree as it was. */
export async function catchUp(git: WorkGit, { projectDir, worktree }: MergeRequest): Promise<void> {
  const head = await commitOf(git, projectDir, "HEAD");
  if (head !== null) await forward(git, worktree.path, head);
}

async function keepOnBranch(git: WorkGit, { worktree }: MergeRequest, merge: string): Promise<void> {
  await forward(git, worktree.path, merge);
}

/** Moves a work tree on to a commit that holds its own. A setting can turn `git merge --ff-only` into another merge. */
async function forward(git: WorkGit, directory: string, commit: string): Promise<void> {
  const isAhead = await git(directory, "merge-base", "--is-ancestor", "HEAD", commit);
  if (isAhead.exitCode === 0) await git(directory, "reset", "--quiet", "--keep", commit);
}

async function revertOnce(git: WorkGit, { projectDir }: MergeRequest, merge: string): Promise<string | null> {
  const words = `This reverts commit ${merge}`;
  const before = await git(projectDir, "log", "--fixed-strings", `--grep=${words}`, "--format=%H", `${merge}..HEAD`);
  if (before.stdout.trim() !== "") return null;
  const reverted = await git(projectDir, "revert", "--no-edit", "--mainline", "1", merge);
  if (reverted.exitCode === 0) return null;
  const isUnderWay = (await commitOf(git, projectDir, "REVERT_HEAD")) !== null;
  if (isUnderWay) await git(projectDir, "revert", "--abort");
  return describeFailure("git revert", reverted);
}

/** What was merged and reverted is not merged again by git: the task's work becomes one commit of its own. */
async function renewBranch(
  git: WorkGit,
  { projectDir, worktree, title }: MergeRequest,
  merge: string,
): Promise<string | null> {
  if (!(await isAncestor(git, projectDir, `refs/heads/${worktree.branch}`))) return null;
  // Within one second and with the same words it would be the very commit that was merged.
  const words = `${title}\n\nThe merge ${merge} was reverted.`;
  const made = await git(projectDir, "commit-tree", `${merge}^{tree}`, "-p", `${merge}^1`, "-m", words);
  if (made.exitCode !== 0) return describeFailure("git commit-tree", made);
  const moved = await git(worktree.path, "reset", "--quiet", "--keep", made.stdout.trim());
  return moved.exitCode === 0 ? null : describeFailure("git reset", moved);
}

async function isAncestor(git: WorkGit, projectDir: string, commit: string): Promise<boolean> {
  return (await git(projectDir, "merge-base", "--is-ancestor", commit, "HEAD")).exitCode === 0;
}

/** The commit that a name stands for; null: none. */
export async function commitOf(git: WorkGit, directory: string, name: string): Promise<string | null> {
  const found = await git(directory, "rev-parse", "--verify", "--quiet", name);
  return found.exitCode === 0 ? found.stdout.trim() : null;
}
