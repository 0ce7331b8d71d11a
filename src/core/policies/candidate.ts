/** What a delivery commits of files that git does not know; `untrackedAtStart` null: nobody knows which were there before. */
export type CandidateRule = { stage: "run" | "tracked" | "all"; untrackedAtStart: readonly string[] | null };

/** Which files that git does not know a commit takes: by default those that appeared since the run began (CW-1F). */
export function takesNew({ stage, untrackedAtStart }: CandidateRule): (path: string) => boolean {
  const former = new Set(untrackedAtStart);
  const isOfRun = (path: string): boolean => untrackedAtStart !== null && !former.has(path);
  return { all: () => true, tracked: () => false, run: isOfRun }[stage];
}

/** What was found of a candidate: its tree, and paths that the checks saw and no commit takes. */
export type FoundCandidate = { tree: string; gaps: readonly string[] };

/**
 * The tree that a claim speaks for. With paths that no commit takes, or one that nobody can read (`null`), it equals no earlier one,
 * so that a claim is refused.
 */
export function candidateOf(found: FoundCandidate | null, former: string | null): string {
  return found === null || found.gaps.length > 0 ? otherThan(former) : found.tree;
}

/** Whether the paths that differ from an earlier candidate can be asked for. */
export function isComparable(tree: string, former: string | null): former is string {
  return former !== null && former !== tree && !unknownTrees.includes(former);
}

/** Whether a repository is missed: a run that began in one does not complete without it. */
export function isRepositoryMissed({ isFound, hasBegunInOne }: { isFound: boolean; hasBegunInOne: boolean }): boolean {
  return !isFound && hasBegunInOne;
}

/** Where a repository is: its folder, that of its objects, and what stands at `.git`; absent in a run of an older version. */
export type LocatedRepository = { gitDir: string; commonDir: string; entry?: "file" | "folder" | "other" };

/** Whether another repository, or a link to one, stands where the run began. */
export function isRepositoryReplaced(start: LocatedRepository, now: LocatedRepository): boolean {
  const isElsewhere = start.gitDir !== now.gitDir || start.commonDir !== now.commonDir;
  return isElsewhere || (start.entry !== undefined && start.entry !== now.entry);
}

/** Parts of a repository that lead out of it and did not when the run began; none where nobody looked then. */
export function newParts(start: readonly string[] | undefined, now: readonly string[]): string[] {
  return start === undefined ? [] : now.filter((part) => !start.includes(part));
}

/** What the candidate says about a submodule: the commit it names, and those that stood there before the first turn. */
export type LinkedCommit = { commit: string; commitsAtStart: readonly string[] };

/**
 * Whether a clone may find a submodule empty. Nobody can tell from here whether others get a commit, and `.gitmodules` is only
 * the agent's word, so that each commit counts which was not there before the first turn.
 */
export function isCommitOfRun({ commit, commitsAtStart }: LinkedCommit): boolean {
  return !commitsAtStart.includes(commit);
}

/** A tree that nobody can read or deliver equals no other, not even another such tree. */
function otherThan(former: string | null): string {
  const [first, other] = unknownTrees;
  return former === first ? other : first;
}

/** What stands for such trees; two, so that each differs from the one before it. */
const unknownTrees: readonly [string, string] = ["unknown", "still unknown"];
