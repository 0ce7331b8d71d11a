import type { Git } from "./git-tool.ts";
import { describeFailure } from "./run-tool.ts";
import type { Worktree } from "./worktrees.ts";

/** What is merged, into which branch of which work tree. */
export type MergeOrder = { projectDir: string; into: string; worktree: Worktree; title: string };

/**
 * Brings a task's branch into the branch the work started from. Null: merged. Else why not; then nothing has changed in
 * the main work tree, and nothing of the task's is lost.
 */
export async function mergeTask(git: Git, order: MergeOrder): Promise<string | null> {
  const unsaved = await commitRest(git, order);
  if (unsaved !== null) return unsaved;
  const { projectDir, worktree } = order;
  const isIn = await git(projectDir, "merge-base", "--is-ancestor", worktree.branch, "HEAD");
  const obstacle = await findObstacle(git, order);
  if (isIn.exitCode === 0 && obstacle?.isOfBranch !== true) return null;
  if (obstacle !== null) return obstacle.why;
  const merging = await git(projectDir, "merge", "--no-ff", "--quiet", "-m", order.title, worktree.branch);
  if (merging.exitCode === 0) return null;
  const torn = await git(projectDir, "diff", "--name-only", "--diff-filter=U");
  const isUnderWay = (await git(projectDir, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")).exitCode === 0;
  if (isUnderWay) await git(projectDir, "merge", "--abort");
  const paths = torn.stdout.trim();
  return paths === "" ? describeFailure("git merge", merging) : `it conflicts in ${paths.split("\n").join(", ")}.`;
}

/** Work of the roles that nobody committed belongs to the task. Our own logs do not. */
async function commitRest(git: Git, { worktree: { path }, title }: MergeOrder): Promise<string | null> {
  const staged = await git(path, "add", "--all", "--", ".", ":(exclude,top).ralph");
  if (staged.exitCode !== 0) return describeFailure("git add", staged);
  const isClean = (await git(path, "diff", "--cached", "--quiet")).exitCode === 0;
  if (isClean) return null;
  const made = await git(path, "commit", "--quiet", "-m", title);
  return made.exitCode === 0 ? null : describeFailure("git commit", made);
}

/** What stands in the way in the main work tree, which belongs to a person: looked at, never moved. */
async function findObstacle(
  git: Git,
  { projectDir, into, worktree }: MergeOrder,
): Promise<{ why: string; isOfBranch: boolean } | null> {
  const head = await git(projectDir, "symbolic-ref", "--quiet", "--short", "HEAD");
  if (head.stdout.trim() !== into)
    return { why: `${projectDir} is no longer on the branch ${into}.`, isOfBranch: true };
  const merge = await git(projectDir, "rev-parse", "--verify", "--quiet", "MERGE_HEAD");
  if (merge.exitCode === 0) return { why: `a merge is under way in ${projectDir}.`, isOfBranch: false };
  const changed = await git(projectDir, "diff", "--name-only", "-z", `HEAD...${worktree.branch}`);
  const dirty = await git(projectDir, "diff", "--name-only", "-z", "HEAD");
  const own = new Set(dirty.stdout.split("\0").filter((path) => path !== ""));
  const both = changed.stdout.split("\0").filter((path) => own.has(path));
  if (both.length === 0) return null;
  return { why: `${both.join(", ")} in ${projectDir} has changes that are not committed.`, isOfBranch: false };
}
