import { noSpend, type Spend, subtractSpend, totalTokens } from "../agents/spend.ts";
import { cancelledReason } from "../policies/outcome-reasons.ts";
import { isFinal } from "../run/outcome.ts";
import type { FoundRole, FoundTask, WorkObservation } from "./work-observation.ts";
import type { BranchTip } from "./tip-place.ts";
import { sumSpend } from "./work-budget.ts";
import { counted, emptyBook, type LedTask, type WorkBook, type WorkState, workVersion } from "./work-state.ts";

type Seen<Type extends WorkObservation["type"]> = Extract<WorkObservation, { type: Type }>;

/** A work run with the tasks it was ordered for, none of them begun. */
export function beginWork(state: WorkState, { rules, tasks, tip }: Seen<"work-started">): WorkState {
  return { ...state, work: { ...emptyBook, rules, tasks: tasks.map(waiting), ...(tip === undefined ? {} : { tip }) } };
}

/**
 * After a crash, an interrupt or a stop. How far each task is, is told by the task itself and by its role runs, which
 * outlive this run: both are stored before anything is carried out. Null: the run has ended for good.
 */
export function resumeWork(state: WorkState, observation: Seen<"work-resumed">): WorkState | null {
  const { takenOver, change, missed, upMs } = observation;
  const former = takenOver ?? state;
  if (former.outcome !== null && isFinal(former.outcome)) return null;
  const isCancelAsked = former.isCancelAsked || missed.isCancelAsked;
  return counted({
    ...former,
    policy: { ...former.policy, ...change },
    lastUpMs: upMs,
    lastRequestSeq: missed.lastSeq,
    isCancelAsked,
    isPauseAsked: false,
    isInterruptAsked: false,
    isHeld: false,
    pending: null,
    outcome: null,
    work: resumedBook(observation, {
      tipSpend: takenOver === undefined ? state.work.tipSpend : tipSpendOf(takenOver.spend, observation.roles),
      asked: isCancelAsked ? { name: "cancelled", reason: cancelledReason } : null,
      ...branchOf(state.work, observation.tip),
    }),
  });
}

function resumedBook(
  { rules, tasks, roles, help }: Seen<"work-resumed">,
  { tipSpend, asked, ...branch }: Pick<WorkBook, "tipSpend" | "asked" | "tip" | "verified">,
): WorkBook {
  return {
    version: workVersion,
    rules,
    tasks: tasks.map(waiting),
    roles: Object.fromEntries(roles.map(({ runId, ...role }) => [runId, { ...role, isEnding: false }])),
    tipSpend,
    asked,
    stuckBy: null,
    ...branch,
    help,
    timerId: null,
  };
}

/** Where the branch was left is remembered: what moved it while nobody drove the run is seen. */
function branchOf({ tip, verified }: WorkBook, found: BranchTip | undefined): Pick<WorkBook, "tip" | "verified"> {
  const known = tip ?? found;
  return { ...(known === undefined ? {} : { tip: known }), ...(verified === undefined ? {} : { verified }) };
}

/** What an earlier version spent on merged tips: whatever no role run has spent. */
function tipSpendOf(spend: Spend, roles: readonly FoundRole[]): Spend {
  const rest = subtractSpend(spend, sumSpend(roles.map((role) => role.spend)));
  return totalTokens(rest) === 0 && (rest.usd ?? 0) === 0 ? noSpend : rest;
}

function waiting(task: FoundTask): LedTask {
  const progress = task.standing?.progress ?? null;
  return { ...task, isBegun: false, isOver: false, progress, phase: { kind: "waiting" } };
}
