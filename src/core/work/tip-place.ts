/** Where ralph left the branch that tasks are merged into. */
export type BranchTip = { branch: string; commit: string };

/** The branch that tasks are merged into, as it stands now. */
export type TipFacts = {
  /** The branch checked out in the project directory; null: HEAD is detached. */
  branch: string | null;
  /** The commit of HEAD and its first parent; null: there is none. */
  head: string | null;
  base: string | null;
  /** The merge commit of ours for the task in question, if there is one. */
  merge: string | null;
  /** Of the commits that were verified for tasks, those that the branch no longer holds. */
  lost: string[];
};

/** A commit that was verified for a task, which is done since then. */
export type VerifiedTip = { taskId: string; commit: string };

/** Whether the branch is where ralph left it. */
export type PlaceDecision = { kind: "stands" } | { kind: "moved"; reason: string };

/**
 * The branch stands where ralph left it, or one merge of ours above: a kill may have come before that merge was stored.
 * Anything else was done by somebody else, and no gate has seen it.
 */
export function judgePlace(left: BranchTip, facts: TipFacts, verified: readonly VerifiedTip[]): PlaceDecision {
  const { branch, head, base, merge } = facts;
  const isOurs = head === left.commit || (merge !== null && head === merge && base === left.commit);
  if (branch === left.branch && isOurs) return { kind: "stands" };
  return { kind: "moved", reason: movedReason(left, facts, verified) };
}

function movedReason(left: BranchTip, { branch, head, lost }: TipFacts, verified: readonly VerifiedTip[]): string {
  const ref = `refs/heads/${left.branch}`;
  const isOnBranch = branch === left.branch;
  const where = branch === null ? "detached" : `on refs/heads/${branch}`;
  const what = isOnBranch
    ? `${ref} was moved: expected ${short(left.commit)}, found ${short(head)}.`
    : `HEAD was moved: expected ${ref} at ${short(left.commit)}, found it ${where} at ${short(head)}.`;
  const gone = verified
    .filter(({ commit }) => lost.includes(commit))
    .map(({ taskId, commit }) => ` ${short(commit)} of task ${taskId} is no longer in ${isOnBranch ? "it" : ref}.`);
  const remedy = "Move it back, then: ralph resume. Or keep it so, then: ralph work --worktrees.";
  return `${what}${gone.join("")} ${remedy}`;
}

/** As much of a commit's name as people read. */
const shortChars = 12;

function short(commit: string | null): string {
  return commit === null ? "no commit" : commit.slice(0, shortChars);
}

/** Paths of the main work tree, from the top of the repository. */
export type MainTreeFacts = {
  /** Whose content is not that of the merged commit. */
  differing: readonly string[];
  /** Whose content was not that of the commit when the work run began: a person's changes. */
  changedAtStart: readonly string[];
  /** Whose content is not what it was when the work run began. */
  changedSince: readonly string[];
  /** Repositories inside this one that it does not name, now and when the work run began: no commit takes their files. */
  inner: readonly string[];
  innerAtStart: readonly string[];
};

/** Paths that a gate may see differently from whoever gets the commit; a person's changes from before count only when they changed since. */
export function foreignPaths(facts: MainTreeFacts): string[] {
  const [before, since, inner] = [facts.changedAtStart, facts.changedSince, facts.innerAtStart].map(
    (paths) => new Set(paths),
  );
  const isTolerated = (path: string): boolean => before?.has(path) === true && since?.has(path) === false;
  const differing = facts.differing.filter((path) => !isTolerated(path));
  return [...differing, ...facts.inner.filter((path) => inner?.has(path) === false)];
}

/** What becomes of a merged tip by a look at its branch and at the main work tree. */
export type LookDecision = { kind: "same" } | { kind: "undo"; reason: string } | { kind: "hold"; reason: string };

/** A moved branch waits for a person. Gates that ran, or would run, on other files than the commit's do not speak for it. */
export function judgeLook(place: PlaceDecision, foreign: readonly string[]): LookDecision {
  if (place.kind === "moved") return { kind: "hold", reason: place.reason };
  if (foreign.length === 0) return { kind: "same" };
  const more = foreign.length - namesMax;
  const names = `${foreign.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const reason = `The project directory differs from the merged commit, so its checks do not count for it: ${names}.`;
  return { kind: "undo", reason };
}

/** Paths named in a sentence. */
const namesMax = 10;
