import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { SharedFiles } from "../ports.ts";
import type { WorkGit } from "./git-tool.ts";
import { describeFailure } from "../git/run-tool.ts";

/** A work tree of a task: its own folder and its own branch. */
export type Worktree = {
  path: string;
  /** The project inside of it: the same folder below the top as in the main work tree. */
  directory: string;
  branch: string;
};

/** Where the work tree of a task is, whether or not it is there yet. Below `.ralph/`, which git ignores. */
export function worktreeOf(projectDir: string, prefix: string, taskId: string): Worktree {
  const path = join(projectDir, ".ralph", "worktrees", taskId);
  return { path, directory: join(path, prefix), branch: `ralph/${taskId}` };
}

/** The branch work trees start from, and the project's folder below the top of its repository. */
export async function startingPoint(git: WorkGit, projectDir: string): Promise<{ branch: string; prefix: string }> {
  const inside = await git(projectDir, "rev-parse", "--show-prefix");
  const head = await git(projectDir, "symbolic-ref", "--quiet", "--short", "HEAD");
  const commit = await git(projectDir, "rev-parse", "--verify", "--quiet", "HEAD");
  if (inside.exitCode === 0 && head.exitCode === 0 && commit.exitCode === 0)
    return { branch: head.stdout.trim(), prefix: inside.stdout.trim() };
  const why = inside.exitCode === 0 ? "is not on a branch with a commit" : "is not a git repository";
  throw new RalphError("scm", `${projectDir} ${why}, and --worktrees starts from one.`, "Commit to a branch first.");
}

/** Creates the work tree of a task from `start`, or continues in the existing one. */
export async function openWorktree(
  { git, disk }: { git: WorkGit; disk: Pick<SharedFiles, "look"> },
  { projectDir, worktree, start }: { projectDir: string; worktree: Worktree; start: string },
): Promise<void> {
  const { path, branch } = worktree;
  if (disk.look(join(path, ".git")) !== null) return;
  // A folder somebody removed by hand is still in git's list.
  await git(projectDir, "worktree", "prune");
  const isThere = (await git(projectDir, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)).exitCode === 0;
  const words = isThere ? [path, branch] : ["-b", branch, path, start];
  const added = await git(projectDir, "worktree", "add", "--quiet", ...words);
  if (added.exitCode !== 0)
    throw new RalphError(
      "scm",
      `The work tree ${path} could not be made: ${describeFailure("git worktree add", added)}`,
    );
}

/** Removes the work tree and the branch of a task that was merged. What fails stays, and does no harm. */
export async function removeWorktree(git: WorkGit, projectDir: string, { path, branch }: Worktree): Promise<void> {
  // Everything in it was committed and merged, except for ralph's own logs and what can be made again.
  await git(projectDir, "worktree", "remove", "--force", path);
  await git(projectDir, "branch", "--delete", "--quiet", branch);
}
