import { candidateTree, differingPaths } from "../git/candidate.ts";
import { type LookPlace, withStore } from "../git/look.ts";
import type { RunContext } from "../drivers/run-context.ts";

/** A run as far as its trees are concerned. */
export type CandidatePlace = LookPlace & {
  frozen: Pick<RunContext["frozen"], "settings" | "untrackedAtStart" | "projectDir">;
  note: RunContext["note"];
};

/** The tree that a delivery would commit now; null outside git. What git cannot tell is named, and nobody compares. */
export async function fixCandidate(place: CandidatePlace, marker: string): Promise<string | null> {
  return (await lookAtCandidate(place, marker, null))?.tree ?? null;
}

/** The same, with the paths that differ from an earlier candidate. */
export async function lookAtCandidate(
  place: CandidatePlace,
  marker: string,
  former: string | null,
): Promise<{ tree: string; differing: string[] } | null> {
  const { settings, untrackedAtStart } = place.frozen;
  const rule = { stage: settings.scm?.stage ?? ("run" as const), untrackedAtStart: untrackedAtStart ?? null };
  try {
    return await withStore(place, { marker }, async (store) => {
      const { tree } = await candidateTree(store, rule);
      const isSame = former === null || former === tree;
      return { tree, differing: isSame ? [] : (await differingPaths(store, former, tree)).slice(0, pathsMax) };
    });
  } catch (error) {
    await place.note("warning", `What would be delivered could not be determined: ${String(error)}`);
    return null;
  }
}

/** Paths that go into the state and into sentences. */
const pathsMax = 20;
