import type { Git } from "../git/git.ts";

/** The commit that a name means; null when the repository knows none. */
export async function findCommit(git: Git, name: string): Promise<string | null> {
  const end = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

/** Where two commits parted; null when they have no commit in common. */
export async function mergeBase(git: Git, one: string, other: string): Promise<string | null> {
  const end = await git(["merge-base", one, other]);
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

/** The default branch of the upstream: of the remote that the present branch follows, else of origin. Null without one. */
export async function findUpstreamDefault(git: Git): Promise<string | null> {
  for (const name of defaultBranches) {
    const branch = `refs/remotes/${await upstreamRemote(git)}/${name}`;
    if ((await findCommit(git, branch)) !== null) return branch;
  }
  return null;
}

/** A clone knows which one it is (`HEAD`); a checkout in CI often does not. */
const defaultBranches = ["HEAD", "main", "master"];

async function upstreamRemote(git: Git): Promise<string> {
  const branch = (await git(["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout.trim();
  const end = await git(["config", "--get", `branch.${branch}.remote`]);
  const remote = end.exitCode === 0 ? end.stdout.trim() : "";
  return /^[\w.-]+$/.test(remote) && remote !== "." ? remote : "origin";
}
