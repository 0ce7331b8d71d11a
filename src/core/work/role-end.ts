import { addSpend } from "../agents/spend.ts";
import { assert } from "../assert.ts";
import { needsNewRun } from "../policies/fatal.ts";
import { isFinal, type Outcome } from "../run/outcome.ts";
import type { RunState } from "../run/state.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import type { RoleEnd } from "./next-step.ts";
import { checksOf } from "./role-evidence.ts";
import type { RoleUse, WorkHelp } from "./work-observation.ts";

/** How a role run ended: its outcome, its reason for sending the work back, and the checks behind its claim. */
export function roleEndOf(state: RunState, { criterion }: Pick<FrozenRun, "criterion">): RoleEnd {
  const { outcome, policy, facts } = state;
  assert(outcome !== null, "only a run that has ended has an end");
  const isRejection = outcome.name === "waiting" && policy.canReject;
  const checks = checksOf({
    gates: policy.gates.filter(({ when }) => when !== "before-first-turn"),
    verdicts: facts.verdicts,
    criterion: criterion ?? null,
  });
  const rejected = isRejection ? (facts.report?.claims.rejected ?? null) : null;
  return { outcome, rejected, checks, ...(needsNewRun(state) ? { needsNewRun: true as const } : {}) };
}

/** What a role run has used so far; the turn in flight counts with what it reported. */
export function roleUseOf(state: RunState, taskId: string): RoleUse {
  const { iteration, spend, liveSpend, usedMs } = state;
  return { taskId, iteration, spend: addSpend(spend, liveSpend), usedMs };
}

/** How role runs end when their work run cannot be stored: nobody would hear of what they do. */
export function endUnstored(problem: string): Outcome {
  return { name: "failed", reason: `The work run cannot be stored any more: ${problem}` };
}

/** Nothing is left to do for a role run: only its task has not heard of it. */
export function isRoleOver({ outcome, rejected }: RoleEnd, { more }: WorkHelp): boolean {
  if (isFinal(outcome)) return true;
  return outcome.name === "exhausted" ? more === null : rejected !== null;
}
