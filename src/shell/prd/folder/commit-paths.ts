import type { Git } from "../../git/git.ts";
import { describeFailure } from "../../git/run-tool.ts";

/** What became of a commit. */
export type PathsCommit = "made" | "no-repository" | { problem: string };

/** Exactly these paths, whatever else is staged. Without a repository there is nothing to do. */
export async function commitPaths(git: Git, paths: readonly string[], message: string): Promise<PathsCommit> {
  const inside = await git(["rev-parse", "--is-inside-work-tree"]);
  if (inside.exitCode !== 0) return "no-repository";
  const added = await git(["add", "--", ...paths]);
  if (added.exitCode !== 0) return { problem: describeFailure("git add", added) };
  const committed = await git(["commit", "--quiet", "--message", message, "--only", "--", ...paths]);
  return committed.exitCode === 0 ? "made" : { problem: describeFailure("git commit", committed) };
}
