import { RalphError } from "../../core/ralph-error.ts";
import { judgeIgnored } from "../../core/policies/ignored-files.ts";
import { candidateOf, isComparable, isRepositoryMissed } from "../../core/policies/candidate.ts";
import { whyReplaced } from "../git/replaced-repository.ts";
import { candidateTree, differingPaths } from "../git/trees/candidate.ts";
import { changesSince, type TreeChange } from "../git/trees/changes-since.ts";
import { changesBetween } from "../git/trees/known-changes.ts";
import { checkoutGaps, commitGaps, handoverGaps } from "../git/trees/commit-gaps.ts";
import { type LookContext, withStore } from "../git/trees/look.ts";
import type { StoreContext } from "../git/run-git.ts";
import type { LookedSince, StagedTree } from "../git/trees/stage-tree.ts";
import { ignoredSince, type IgnoredSince } from "../git/trees/ignored-since.ts";
import { requireOwnFolder } from "../lib/project-disk.ts";
import type { RunContext } from "../run-context.ts";

/** A run as far as its trees are concerned. */
export type CandidateContext = LookContext & {
  frozen: Pick<RunContext["frozen"], "settings" | "untrackedAtStart" | "startCommit" | "projectDir" | "task">;
  note: RunContext["note"];
};

/** The tree that a delivery would commit now; null outside git. */
export async function fixCandidate(
  context: CandidateContext,
  turnMarker: string,
  looked: LookedSince = {},
): Promise<string | null> {
  return (await lookAtCandidate(context, turnMarker, null, looked))?.tree ?? null;
}

/**
 * The same, with the paths that differ from an earlier candidate. Inside a repository that git cannot read, and where the
 * run left something that no commit takes, the answer equals no earlier one, so that a claim is refused.
 */
export async function lookAtCandidate(
  context: CandidateContext,
  turnMarker: string,
  former: string | null,
  looked: LookedSince = {},
): Promise<{ tree: string; differing: string[] } | null> {
  const { settings, untrackedAtStart } = context.frozen;
  const rule = { stage: settings.scm?.stage ?? ("run" as const), untrackedAtStart: untrackedAtStart ?? null };
  try {
    if (untrackedAtStart !== undefined) requireOwnFolder(context.disk, context.frozen.projectDir);
    const look = await withStore(context, { turnMarker }, async (store) => {
      requirePlace(context, store);
      const candidate = await candidateTree(store, rule, looked);
      const changes = await changesOf(store, context.frozen.startCommit, candidate);
      const ignored = await ignoredSince(store, { candidate, changes });
      const gaps = await gapsOf(store, { candidate, changes, ignored }, context.frozen);
      const tree = candidateOf({ tree: candidate.tree, gaps }, former);
      if (tree !== candidate.tree) return { tree, differing: gaps.slice(0, pathsMax) };
      if (tree === former) await nameIgnored(context, ignored);
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

async function changesOf(
  store: StoreContext,
  startCommit: string | null,
  { tree, head }: StagedTree,
): Promise<readonly TreeChange[]> {
  // Git has just read that commit, so that it is there: what is known of it may be believed.
  if (startCommit !== null && startCommit === head)
    return changesBetween(store, "candidate", { from: startCommit, to: tree });
  return changesSince(store, startCommit, tree).catch(async (fault: unknown) => {
    await requireStart(store, startCommit);
    throw fault;
  });
}

async function gapsOf(
  store: StoreContext,
  { candidate, changes, ignored }: { candidate: StagedTree; changes: readonly TreeChange[]; ignored: IgnoredSince[] },
  { settings, untrackedAtStart, task, projectDir }: CandidateContext["frozen"],
): Promise<string[]> {
  // Only tracked files are meant to be committed: new ones stay out by the user's own word.
  const known = settings.scm?.stage === "tracked" ? null : (untrackedAtStart ?? null);
  const options = { candidate, changes, untrackedAtStart: known };
  const isCommitted = settings.scm?.tasks.includes("commit") === true;
  const missed = ignored
    .filter((path) => known !== null && judgeIgnored(path) === "missed")
    .map(
      ({ path, source }) =>
        `${path} (ignored only by ${source}, which no commit holds: commit the rule in another .gitignore, or remove it)`,
    );
  // The work tree of a task is committed by ralph, whatever hides its files from others.
  const isOfTask = task !== undefined && task.projectDir !== projectDir;
  const handedOver = isCommitted || isOfTask ? [] : await handoverGaps(store, options);
  const left = isCommitted ? await commitGaps(store, options) : handedOver;
  return [...(await checkoutGaps(store, options)), ...missed, ...left];
}

/** Checks saw them, and no clone has them. Projects let git ignore what they build, so that it refuses no claim. */
async function nameIgnored({ note }: CandidateContext, ignored: readonly IgnoredSince[]): Promise<void> {
  const paths = ignored.filter((path) => judgeIgnored(path) === "named").map(({ path }) => path);
  if (paths.length === 0) return;
  const more = paths.length > namesMax ? ` and ${paths.length - namesMax} more` : "";
  const names = `${paths.slice(0, namesMax).join(", ")}${more}`;
  await note("warning", `Not delivered, by ignore rules that this run added: ${names}.`);
}

/** Names in a note. */
const namesMax = 5;

/** A commit in a repository elsewhere is gone with it, and a link can be turned to another one at any time. */
function requirePlace({ disk, frozen }: CandidateContext, { store }: StoreContext): void {
  const why = whyReplaced(disk, store.start, frozen.projectDir);
  if (why !== null) throw new RalphError("file", why);
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
