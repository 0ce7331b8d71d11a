import { RalphError } from "../../core/ralph-error.ts";
import { findCommit, findUpstreamDefault, mergeBase } from "../../shell/checkout/named-commits.ts";
import type { Git } from "../../shell/git/git.ts";

/** What is asked for, in the words of the user. */
export type RangeWish = { base: string | null; head: string; isMergeBase: boolean; isStaged: boolean };

/** The commits that are meant. `name` is how the base is called in messages. */
export type ChosenRange = { base: { commit: string; name: string }; candidate: { commit: string } | "index" };

/** Finds out which commits are meant. Rejects with a `RalphError` that names what to give. */
export async function chooseRange(git: Git, wish: RangeWish): Promise<ChosenRange> {
  const head = await requireCommit(git, wish.head);
  const base = await baseOf(git, wish, head);
  return { base, candidate: wish.isStaged ? "index" : { commit: head } };
}

async function baseOf(git: Git, wish: RangeWish, head: string): Promise<ChosenRange["base"]> {
  if (wish.base !== null && !wish.isMergeBase) return { commit: await requireCommit(git, wish.base), name: wish.base };
  // What is staged is judged by the commit that it would follow.
  if (wish.base === null && wish.isStaged) return { commit: head, name: wish.head };
  const name = wish.base ?? (await findUpstreamDefault(git));
  if (name === null)
    throw new RalphError(
      "usage",
      "There is no upstream whose default branch could be the base.",
      "Give both ends, for example: ralph verify main..HEAD",
    );
  const commit = await mergeBase(git, await requireCommit(git, name), head);
  if (commit !== null) return { commit, name: `the merge base with ${name}` };
  throw new RalphError(
    "usage",
    `${name} and ${wish.head} have no commit in common.`,
    "Fetch the whole history (git fetch --unshallow), or give both ends: ralph verify BASE..HEAD",
  );
}

async function requireCommit(git: Git, name: string): Promise<string> {
  const commit = await findCommit(git, name);
  if (commit !== null) return commit;
  throw new RalphError("usage", `This repository has no commit "${name}".`, "Fetch it first, or give another one.");
}
