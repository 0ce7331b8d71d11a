import { outcomeWord } from "../../../core/run/outcome.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { livingSessions } from "./session-runs.ts";
import type { TargetContext } from "./target.ts";

/** A run that a shell proposes, with a few words that tell it from others. */
export type ProposedRun = { id: string; words: string };

/** More than a screen of proposals helps nobody, and each run is read whole. */
const proposedMax = 30;

/** The runs a part of an id may mean, those of the directory first, then the newest; the empty part means all. */
export async function proposedRuns(
  { store, folder, onProblem }: Pick<TargetContext, "store" | "folder" | "onProblem">,
  { directory, part }: { directory: string; part: string },
): Promise<ProposedRun[]> {
  const runs = part === "" ? await store.list({ directory: null, limit: proposedMax }) : await store.find(part);
  const sessions = livingSessions(folder, null, onProblem).filter(({ loop }) => loop.sessionId.includes(part));
  const isHere = (run: RunRecord): boolean => run.directory === directory;
  const newest = runs.toSorted((one, other) => other.createdAt - one.createdAt);
  return [
    ...sessions.map(({ loop }) => ({ id: loop.sessionId, words: "in session" })),
    ...[...newest.filter(isHere), ...newest.filter((run) => !isHere(run))].map(proposal),
  ].slice(0, proposedMax);
}

function proposal({ id, kind, outcome, directory }: RunRecord): ProposedRun {
  return { id, words: `${kind}, ${outcome === null ? "not ended" : outcomeWord(outcome)}, in ${directory}` };
}
