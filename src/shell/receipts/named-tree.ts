import type { NamedTree } from "../../core/verification/verified/verification.ts";
import type { Git } from "../git/git.ts";

/** A tree with the commit that holds it, when it is the tree of that commit. */
export async function namedTree(git: Git, tree: string, commit: string | null): Promise<NamedTree> {
  if (commit === null) return { tree, commit: null };
  const end = await git(["rev-parse", "--revs-only", `${commit}^{commit}`, `${commit}^{tree}`]);
  const [name = null, own] = end.stdout.trim().split("\n");
  return { tree, commit: end.exitCode === 0 && own === tree ? name : null };
}
