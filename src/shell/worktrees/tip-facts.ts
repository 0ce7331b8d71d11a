import type { TipFacts, BranchTip } from "../../core/work/tip-place.ts";
import type { TipQuestion } from "../../core/work/work-effect.ts";
import type { WorkGit } from "./git-tool.ts";
import type { MergeRequest } from "./merge-task.ts";
import { commitOf, findMerge } from "./undo-merge.ts";

/** The branch that tasks are merged into, as it stands; null where HEAD has no commit. */
export async function findPlace(git: WorkGit, projectDir: string, branch: string): Promise<BranchTip | null> {
  const commit = await commitOf(git, projectDir, `refs/heads/${branch}`);
  return commit === null ? null : { branch, commit };
}

/** What can be told of the branch and of HEAD. */
export async function readTip(git: WorkGit, request: MergeRequest, question: TipQuestion): Promise<TipFacts> {
  const { projectDir, into } = request;
  const named = await git(projectDir, "symbolic-ref", "--quiet", "--short", "HEAD");
  return {
    branch: named.exitCode === 0 ? named.stdout.trim() : null,
    head: await commitOf(git, projectDir, "HEAD"),
    base: await commitOf(git, projectDir, "HEAD^1"),
    merge: await findMerge(git, request, question.since),
    lost: await lostCommits(git, { projectDir, branch: `refs/heads/${into}`, verified: question.verified }),
  };
}

/** Each of these commits holds those before it: where one is still there, so are they. */
async function lostCommits(
  git: WorkGit,
  { projectDir, branch, verified }: { projectDir: string; branch: string; verified: readonly string[] },
): Promise<string[]> {
  const tip = verified.length === 0 ? null : await commitOf(git, projectDir, branch);
  const lost: string[] = [];
  for (const commit of verified.toReversed()) {
    if (commit === tip) return lost;
    const isIn = await git(projectDir, "merge-base", "--is-ancestor", commit, branch);
    if (isIn.exitCode === 0) return lost;
    lost.push(commit);
  }
  return lost;
}
