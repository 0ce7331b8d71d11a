import { RalphError } from "../../core/ralph-error.ts";

/** A write for a run that is not there, or is there no more. */
export function noSuchRun(runId: string): RalphError {
  return new RalphError("not-found", `There is no run ${runId}.`, "`ralph status --all` lists the runs there are.");
}

/** A write of a driver whose run, or directory, another driver has taken. */
export function lostLock(runId: string, epochs: { mine: number; found: number }): RalphError {
  return new RalphError(
    "lost-lock",
    `Run ${runId} was taken over by another driver (epoch ${epochs.found}, ours was ${epochs.mine}); nothing was written.`,
    `\`ralph show ${runId}\` shows its progress.`,
  );
}

/** A renewal of a lease that its driver has given up. */
export function givenUpLease(runId: string): RalphError {
  return new RalphError(
    "lost-lock",
    `Nobody drives run ${runId} any more: its driver has given it up.`,
    `\`ralph show ${runId}\` shows its progress.`,
  );
}

/** An entry of a journal that a newer version wrote. */
export function newerEntry(runId: string, { seq, version }: { seq: number; version: number }): RalphError {
  return new RalphError(
    "store",
    `Entry ${seq} of run ${runId} was written by version ${version}, which this ralph does not know.`,
    "Update ralph, or start a new run with `ralph run`.",
  );
}

/** A task that a newer version stored. */
export function newerTask(id: string, version: { found: number; known: number }): RalphError {
  return new RalphError(
    "store",
    `Task ${id} was stored by version ${version.found}; this ralph knows versions up to ${version.known}.`,
    "Update ralph, or remove the task and import it again: ralph task import FILE",
  );
}

/** A task that somebody else added, changed or removed since it was read. */
export function changedTask(id: string, found: "added" | "changed" | "removed"): RalphError {
  return new RalphError(
    "conflict",
    `Task ${id} was ${found} by somebody else meanwhile; nothing was stored.`,
    `Look at it with \`ralph task show ${id}\` and try again.`,
  );
}
