import { readHead } from "../git.ts";
import { headByFiles } from "../head-by-files.ts";
import type { StoreContext } from "../run-git.ts";

/** The commit of HEAD; null before the first commit. */
export async function commitNow({ git, disk, store }: StoreContext): Promise<string | null> {
  return headByFiles(disk, store.start.repository) ?? readHead(git);
}

/** What this process knows of the trees of a repository's commits, which stay what they are. */
type KnownTrees = {
  /** The commit that was asked about first, and its tree as soon as another commit was. */
  first: string;
  firstTree: string | null;
  others: Map<string, string>;
};

const known = new Map<string, KnownTrees>();
const repositoriesMax = 100;
const treesMax = 100;

/**
 * A text that stands for the tree of HEAD in this process: the same for two commits with the same files. Null before the
 * first commit. Most turns make no commit, so the first one that is asked about stands for itself, without a process of
 * git, until another follows.
 */
export async function treeNow(context: StoreContext): Promise<string | null> {
  const commit = await commitNow(context);
  if (commit === null) return null;
  const place = context.store.start.repository.commonDir;
  const trees = known.get(place);
  if (trees === undefined) {
    if (known.size >= repositoriesMax) known.clear();
    known.set(place, { first: commit, firstTree: null, others: new Map() });
    return commit;
  }
  if (commit === trees.first) return commit;
  trees.firstTree ??= await treeOf(context, trees.first);
  const tree = trees.others.get(commit) ?? (await treeOf(context, commit));
  if (tree === null) return null;
  if (trees.others.size >= treesMax) trees.others.clear();
  trees.others.set(commit, tree);
  return tree === trees.firstTree ? trees.first : tree;
}

async function treeOf({ git }: StoreContext, commit: string): Promise<string | null> {
  const end = await git(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  return end.exitCode === 0 ? end.stdout.trim() : null;
}
