import { readHead } from "../git.ts";
import { headByFiles } from "../head-by-files.ts";
import type { StoreContext } from "../run-git.ts";

/** The commit of HEAD; null before the first commit. */
export async function commitNow({ git, disk, store }: StoreContext): Promise<string | null> {
  return headByFiles(disk, store.start.repository) ?? readHead(git);
}

/** Trees of commits, which stay what they are. */
const trees = new Map<string, string>();
const treesMax = 100;

/** The tree of HEAD; null before the first commit. */
export async function treeNow(context: StoreContext): Promise<string | null> {
  const commit = await commitNow(context);
  if (commit === null) return null;
  const known = trees.get(commit);
  if (known !== undefined) return known;
  const end = await context.git(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  if (end.exitCode !== 0) return null;
  const tree = end.stdout.trim();
  if (trees.size >= treesMax) trees.clear();
  trees.set(commit, tree);
  return tree;
}
