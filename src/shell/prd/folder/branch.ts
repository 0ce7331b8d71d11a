import { RalphError } from "../../../core/ralph-error.ts";
import type { Git } from "../../git/git.ts";
import { describeFailure } from "../../git/run-tool.ts";

/** A word about the branch when it is not the one the list names; null when it is, or outside git (CW-4S). */
export async function branchWarning(git: Git, wanted: string): Promise<string | null> {
  const current = await currentBranch(git);
  if (current === null || current === wanted || wanted.trim() === "") return null;
  const where = current === "" ? "HEAD is on no branch" : `HEAD is on branch ${current}`;
  return `${where}, the task list names ${wanted}. Switch with --create-branch.`;
}

/** Switches to the branch of the list and creates it if necessary. Returns what was done; null: nothing to do. */
export async function switchBranch(git: Git, wanted: string): Promise<string | null> {
  const current = await currentBranch(git);
  if (current === null) throw new RalphError("scm", "--create-branch needs a git repository.", "Begin one: git init");
  if (wanted.trim() === "") throw new RalphError("scm", "--create-branch: branchName in tasks.json is empty.");
  if (current === wanted) return null;
  const valid = await git(["check-ref-format", "--branch", wanted]);
  if (valid.exitCode !== 0) throw new RalphError("scm", `branchName "${wanted}" is not a name for a branch.`);
  const known = await git(["show-ref", "--verify", "--quiet", `refs/heads/${wanted}`]);
  const words = known.exitCode === 0 ? ["switch", wanted] : ["switch", "--create", wanted];
  const end = await git(words);
  if (end.exitCode !== 0)
    throw new RalphError("scm", describeFailure(`git ${words.join(" ")}`, end), "Switch by hand, then start again.");
  return known.exitCode === 0 ? `Switched to branch ${wanted}.` : `Made branch ${wanted}.`;
}

/** A word about an active file that an agent's `git add --all` would commit; null when git ignores it. */
export async function ignoreWarning(git: Git): Promise<string | null> {
  const { exitCode } = await git(["check-ignore", "--quiet", ".ralph-active"]);
  // 128: no repository.
  return exitCode === 1 ? ".ralph-active is not ignored by git; add a line with it to .gitignore." : null;
}

/** Empty on no branch, null outside git. */
async function currentBranch(git: Git): Promise<string | null> {
  const end = await git(["branch", "--show-current"]);
  return end.exitCode === 0 ? end.stdout.trim() : null;
}
