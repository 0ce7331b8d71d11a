/** Whether a loop may live in a session: inside a turn of a run, the run decides what the agent does next (CB-06). */
export function mayLoop(runId: string | null): boolean {
  return runId === null;
}

/** Whether a hook of somebody's session stands back: the run around it gave its agent hooks of its own. */
export function isStandingBack({ runId, isForRun }: { runId: string | null; isForRun: boolean }): boolean {
  return runId !== null && !isForRun;
}

/** What is known of a stop before anything is judged. `isListed`: the turn of a run on a task list ends with it. */
export type StopOwner = { isListed: boolean; isForRun: boolean; hasSession: boolean };

/**
 * Who judges a stop: the task list of a run, else the session by its loop and its criteria. A hook that a run gave its agent judges
 * nothing else, and a stop without a session is nobody's.
 */
export function judgeOfStop({ isListed, isForRun, hasSession }: StopOwner): "list" | "session" | "nobody" {
  if (isListed) return "list";
  return isForRun || !hasSession ? "nobody" : "session";
}
