import { type CandidateRule, takesNew } from "../../../core/policies/candidate.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure } from "../run-tool.ts";
import { type LookedSince, type StagedTree, stageTree } from "./stage-tree.ts";

/** The tree of the commit that delivery would make now, and the new files it leaves out. Rejects when git cannot tell. */
export function candidateTree(
  context: StoreContext,
  rule: CandidateRule,
  looked: LookedSince = {},
): Promise<StagedTree> {
  return stageTree(context, { index: "candidate", isNewTaken: takesNew(rule), isKnownTaken: () => true }, looked);
}

/** The tree of everything in the work tree that is not ignored, whoever made it and whether git knows it or not. */
export function wholeTree(context: StoreContext): Promise<StagedTree> {
  const { prefix } = context.store.start.repository;
  const own = [`${prefix}.ralph/`, `${prefix}.ralph-active`];
  const isKnownTaken = (path: string): boolean => !own.some((name) => path === name || path.startsWith(name));
  return stageTree(context, { index: "look", isNewTaken: () => true, isKnownTaken });
}

/** The tree of HEAD; null before the first commit. */
export async function headTree({ git }: Pick<StoreContext, "git">, directory?: string): Promise<string | null> {
  const words = ["rev-parse", "--verify", "--quiet", "HEAD^{tree}"];
  const end = await git(words, directory === undefined ? {} : { directory });
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

/** Paths that differ between two trees, from the top of the repository. Rejects when git cannot tell. */
export async function differingPaths(
  { git, store }: StoreContext,
  from: string,
  to: string,
  options: readonly string[] = [],
): Promise<string[]> {
  const words = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", ...options, from, to];
  const end = await git(words, { env: store.env, directory: store.start.repository.top });
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure("git diff-tree", end));
  return end.stdout.split("\0").filter((path) => path !== "");
}
