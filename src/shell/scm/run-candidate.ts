import { candidateTree, differingPaths } from "../git/candidate.ts";
import { type LookPlace, withStore } from "../git/look.ts";
import type { RunContext } from "../drivers/run-context.ts";

/** A run as far as its trees are concerned. */
export type CandidatePlace = LookPlace & {
  frozen: Pick<RunContext["frozen"], "settings" | "untrackedAtStart" | "projectDir">;
  note: RunContext["note"];
};

/** The tree that a delivery would commit now; null outside git. */
export async function fixCandidate(place: CandidatePlace, marker: string): Promise<string | null> {
  return (await lookAtCandidate(place, marker, null))?.tree ?? null;
}

/**
 * The same, with the paths that differ from an earlier candidate. Inside a repository that git cannot read, the answer
 * equals no earlier one, so that a claim is refused until it can.
 */
export async function lookAtCandidate(
  place: CandidatePlace,
  marker: string,
  former: string | null,
): Promise<{ tree: string; differing: string[] } | null> {
  const { settings, untrackedAtStart } = place.frozen;
  const rule = { stage: settings.scm?.stage ?? ("run" as const), untrackedAtStart: untrackedAtStart ?? null };
  try {
    const look = await withStore(place, { marker }, async (store) => {
      const { tree } = await candidateTree(store, rule);
      const isComparable = former !== null && former !== tree && !unknownTrees.includes(former);
      return { tree, differing: !isComparable ? [] : (await differingPaths(store, former, tree)).slice(0, pathsMax) };
    });
    // A run that began in a repository does not complete without it.
    if (look === null && untrackedAtStart !== undefined) throw new Error("the repository is gone");
    return look;
  } catch (error) {
    await place.note("warning", `What would be delivered could not be determined: ${String(error)}`);
    // An agent can break its repository: a tree that nobody could read equals no other, not even another unknown one.
    const [first, other] = unknownTrees;
    return {
      tree: former === first ? other : first,
      differing: ["the repository, which git cannot read"],
    };
  }
}

/** What stands for trees that nobody could read; two, so that each differs from the one before it. */
const unknownTrees: readonly [string, string] = ["unknown", "still unknown"];

/** Paths that go into the state and into sentences. */
const pathsMax = 20;
