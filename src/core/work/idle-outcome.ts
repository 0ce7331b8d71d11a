import type { Outcome } from "../run/outcome.ts";
import { noTasksReason } from "../tasks/no-tasks-reason.ts";

/** The outcome where no task can be played: only where every task that is meant is done is that a completion. */
export function idleOutcome(tasks: readonly { id: string; isDone: boolean }[]): Outcome {
  if (tasks.length === 0) return { name: "stopped", reason: noTasksReason };
  const open = tasks.filter(({ isDone }) => !isDone);
  if (open.length > 0) return { name: "stopped", reason: `No task is ready: ${open.map(({ id }) => id).join(", ")}.` };
  return { name: "completed", reason: "Nothing to do: every task is done.", isVerified: false };
}
