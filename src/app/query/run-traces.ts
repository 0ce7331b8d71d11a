import { type WorkSince, workSince } from "../../shell/git/trees/work-since.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { wireProgram } from "../../shell/wire.ts";
import { readLastWords } from "./last-words.ts";
import { readToldModel } from "./told-model.ts";
import { runsOf } from "./find/runs-of.ts";

/**
 * What a run left behind that is not in its journal: the model that the agent named, its last words, and what git has of
 * its work.
 */
export type RunTraces = { toldModel: string | null; lastWords: string | null; changes: WorkSince | null };

/** Looks for the traces of a run whose last commit is `delivered`. Kept apart from the other queries: only this one starts git. */
export async function runTraces(machine: Records, run: RunRecord, delivered: string | null): Promise<RunTraces> {
  return {
    toldModel: await readToldModel(machine.store, run),
    lastWords: await readLastWords(machine.store, run),
    changes: await changesOf(machine, run, delivered),
  };
}

/** The work tree belongs to the newest run of its directory; of an earlier one only what it delivered is known. */
async function changesOf(machine: Records, run: RunRecord, delivered: string | null): Promise<WorkSince | null> {
  const { startCommit: since, projectDir } = run.frozen;
  if (since === null) return null;
  const [newest] = await runsOf(machine, run.directory);
  const isNewest = newest?.id === run.id || newest?.id === run.parentId;
  if (!isNewest && delivered === null) return null;
  return workSince({ ...wireProgram(), env: machine.env }, projectDir, { since, until: isNewest ? null : delivered });
}
