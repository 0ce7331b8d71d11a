import { RalphError } from "../../core/ralph-error.ts";
import { candidateOf, isComparable, isRepositoryMissed } from "../../core/policies/candidate.ts";
import { candidateTree, differingPaths } from "../git/trees/candidate.ts";
import { changesSince } from "../git/trees/changes-since.ts";
import { checkoutGaps, commitGaps } from "../git/trees/commit-gaps.ts";
import { type LookContext, withStore } from "../git/trees/look.ts";
import type { StoreContext } from "../git/run-git.ts";
import type { StagedTree } from "../git/trees/stage-tree.ts";
import { requireOwnFolder } from "../lib/project-disk.ts";
import type { RunContext } from "../run-context.ts";

/** A run as far as its trees are concerned. */
export type CandidateContext = LookContext & {
  frozen: Pick<RunContext["frozen"], "settings" | "untrackedAtStart" | "startCommit" | "projectDir">;
  note: RunContext["note"];
};

/** The tree that a delivery would commit now; null outside git. */
export async function fixCandidate(context: CandidateContext, turnMarker: string): Promise<string | null> {
  return (await lookAtCandidate(context, turnMarker, null))?.tree ?? null;
}

/**
 * The same, with the paths that differ from an earlier candidate. Inside a repository that git cannot read, and where the
 * run left something that no commit takes, the answer equals no earlier one, so that a claim is refused.
 */
export async function lookAtCandidate(
  context: CandidateContext,
  turnMarker: string,
  former: string | null,
): Promise<{ tree: string; differing: string[] } | null> {
  const { settings, untrackedAtStart } = context.frozen;
  const rule = { stage: settings.scm?.stage ?? ("run" as const), untrackedAtStart: untrackedAtStart ?? null };
  try {
    if (untrackedAtStart !== undefined) requireOwnFolder(context.disk, context.frozen.projectDir);
    const look = await withStore(context, { turnMarker }, async (store) => {
      const candidate = await candidateTree(store, rule);
      const gaps = await gapsOf(store, candidate, context.frozen);
      const tree = candidateOf({ tree: candidate.tree, gaps }, former);
      if (tree !== candidate.tree) return { tree, differing: gaps.slice(0, pathsMax) };
      const differing = isComparable(tree, former) ? await differingPaths(store, former, tree) : [];
      return { tree, differing: differing.slice(0, pathsMax) };
    });
    if (isRepositoryMissed({ isFound: look !== null, hasBegunInOne: untrackedAtStart !== undefined }))
      throw new Error("the repository is gone");
    return look;
  } catch (error) {
    await context.note("warning", `What would be delivered could not be determined: ${String(error)}`);
    // An agent can break its repository.
    const what = error instanceof RalphError ? error.message : "the repository, which git cannot read";
    return { tree: candidateOf(null, former), differing: [what] };
  }
}

async function gapsOf(
  store: StoreContext,
  candidate: StagedTree,
  { settings, startCommit, untrackedAtStart }: CandidateContext["frozen"],
): Promise<string[]> {
  const changes = await changesSince(store, startCommit, candidate.tree).catch(async (fault: unknown) => {
    await requireStart(store, startCommit);
    throw fault;
  });
  // Only tracked files are meant to be committed: new ones stay out by the user's own word.
  const known = settings.scm?.stage === "tracked" ? null : (untrackedAtStart ?? null);
  const options = { candidate, changes, untrackedAtStart: known };
  const isCommitted = settings.scm?.tasks.includes("commit") === true;
  return [...(await checkoutGaps(store, options)), ...(isCommitted ? await commitGaps(store, options) : [])];
}

/** An agent can also put another repository in the place of the one that the run began with. */
async function requireStart({ git, store }: StoreContext, startCommit: string | null): Promise<void> {
  if (startCommit === null) return;
  const end = await git(["cat-file", "-e", `${startCommit}^{commit}`], { env: store.env });
  if (end.exitCode !== 0)
    throw new RalphError("file", `The commit ${startCommit.slice(0, 12)} that the run began with is gone.`);
}

/** Paths that go into the state and into sentences. */
const pathsMax = 20;
