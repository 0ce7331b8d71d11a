import { renderRunId } from "../../../core/supervise/run-ids.ts";

/** A new run id; no two of this process are equal, whatever the clock does. */
export function newSupervisedRunId(now: number): string {
  seq += 1;
  return renderRunId({ at: now, pid: process.pid, seq });
}

let seq = 0;
