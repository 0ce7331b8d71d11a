import type { Outcome } from "../../core/run/outcome.ts";
import type { RunState } from "../../core/run/state.ts";
import { type ChildEnding, endChildren } from "./children-gate.ts";
import { propagateCompletion } from "./propagate-completion.ts";
import type { Supervision } from "./supervision.ts";

/**
 * Says on the task's bus how the run ended, tells the project of a completion, and ends registered children nobody will
 * wait for any more. Must not reject: the outcome is decided.
 */
export async function endTask(supervision: Supervision, state: RunState, ending: ChildEnding): Promise<void> {
  const { outcome } = state;
  if (outcome === null) return;
  const { type, body } = lastWord(outcome, state);
  await supervision.say(type, body);
  if (outcome.name === "completed") return tellProject(supervision);
  // A waiting or interrupted run keeps its children.
  const isKept = outcome.name === "waiting" || outcome.name === "interrupted";
  if (!isKept && supervision.order.onChildTimeout === "terminate") await endChildren(supervision, ending);
}

function lastWord({ name, reason }: Outcome, state: RunState): { type: string; body: string } {
  switch (name) {
    case "completed": {
      const verdicts = Object.values(state.facts.verdicts).flat();
      // A check that timed out is red: of a completed run only the wait for children can have.
      if (verdicts.some(({ isTimedOut }) => isTimedOut))
        return { type: "INFO", body: "task completed (children timed out)" };
      const isAlone = Object.values(state.facts.words).every(({ remark }) => remark === null);
      const how = isAlone ? "DONE marker present, no active children" : "all children finished";
      return { type: "INFO", body: `task completed (${how})` };
    }
    case "exhausted":
      return { type: "ERROR", body: `task failed: max restarts (${state.policy.iterationsMax}) exceeded` };
    case "failed":
      return { type: "ERROR", body: `task failed: ${reason}` };
    case "waiting":
      return { type: "INFO", body: `Wait-without-restart signal detected; ${reason}` };
    case "stopped":
    case "cancelled":
    case "interrupted":
      return { type: "WARNING", body: `task ${name}: ${reason}` };
  }
}

/** Best effort: a project that cannot be told never fails the task (S3-18). */
async function tellProject({ task, ids, keeping, note }: Supervision): Promise<void> {
  const told = await propagateCompletion(task, ids, keeping);
  if (told.result === "failed") await note("warning", `The project was not told of the completion: ${told.problem}`);
}
