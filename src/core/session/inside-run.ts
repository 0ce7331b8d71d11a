/** Whether a loop may live in a session: inside a turn of a run, the run decides what the agent does next (CB-06). */
export function mayLoop(runId: string | null): boolean {
  return runId === null;
}

/** Whether a hook of somebody's session stands back: the run around it gave its agent hooks of its own. */
export function isStandingBack({ runId, isForRun }: { runId: string | null; isForRun: boolean }): boolean {
  return runId !== null && !isForRun;
}
