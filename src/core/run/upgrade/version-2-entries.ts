import { noSpend } from "../../agents/spend.ts";
import type { Verdict } from "../../verification/verdict.ts";
import { childrenKind } from "../../contract/children.ts";
import { criterionKind } from "../../contract/criterion.ts";
import type { Gate, Json } from "../../contract/gate.ts";
import { guardrailKind } from "../../contract/guardrail.ts";
import { taskListGateId, taskListKind } from "../../contract/task-list.ts";
import { changed, type Fields, fieldsOf, without } from "./upgrade-step.ts";
import type { ChecksOf2, Facts2, Tasks2 } from "./version-2.ts";

/**
 * Journal entries of version 2 under the names of version 3, so that every view reads them. Checks that were ordered and
 * answered together stay together, as one gate with several verdicts: an entry knows neither the run nor its neighbours.
 */
export function entryOfVersion2(body: Fields): Fields {
  const { observation, effects } = body;
  // The state that an earlier upgrade began with is one of version 2: nothing folds on from it any more.
  if (observation === undefined) return without(body, ["upgraded"]);
  return {
    ...body,
    observation: changed(observation, liftObservation),
    effects: Array.isArray(effects) ? effects.map((effect) => changed(effect, liftEffect)) : effects,
  };
}

/** A reason for the next prompt. `commands` are those of the guardrails; where they are not known, the number names one. */
export function feedbackOfVersion2(feedback: unknown, commands: readonly string[]): unknown {
  return changed(feedback, (fields) => {
    const { kind, index } = fields;
    switch (kind) {
      case "guardrail": {
        const place = typeof index === "number" ? index : 0;
        return { ...without(fields, ["index"]), kind: "output", name: commands[place] ?? `guardrail ${place + 1}` };
      }
      case "criterion":
        return { ...fields, kind: "reason" };
      case "task":
        return { ...fields, kind: "note" };
      default:
        return fields;
    }
  });
}

/** Nobody fixed a tree before the gates; a claim of such an iteration is judged as it was then. */
export const noCandidate = { candidate: null };

/** Nobody kept why a claim was refused; the prompt says it by its feedback. */
export const noRefusal = { refusal: null };

/** The memory of the gate that keeps a task list in order. */
export function listMemory({ copy, assignment, dirty }: Tasks2): Json {
  return { copy, assignment, dirty };
}

/** The word of the same gate. */
export function wordOf({ isComplete, violations, remark }: NonNullable<Facts2["tasks"]>, tasks: Tasks2 | null): Fields {
  const assignment = tasks?.assignment ?? null;
  const isWorkLeft = tasks === null || assignment !== null;
  return { isClaim: isComplete, isWorkLeft, assignment, notes: violations, remark };
}

/** Its verdict; version 2 had none of its own. */
export function listVerdict(isPassed: boolean): Verdict {
  return {
    index: 0,
    name: "the task list",
    isPassed,
    exitCode: isPassed ? 0 : 1,
    isTimedOut: false,
    durationMs: 0,
    reason: isPassed ? "the list is in order" : "the list could not be put in order",
    output: { text: "" },
    logFile: null,
  };
}

const shared = { isBeforeDelivery: true, isAlways: false, origin: "version 2", limits: { wallMs: null } };

const everyTurn = { ...shared, when: "every-turn", kind: guardrailKind, tells: "output" } as const;
const onClaim = { ...shared, when: "on-claim" } as const;

/** Gates that stand for all checks of one order. */
const shownGates: Record<ChecksOf2, Gate> = {
  baseline: { ...everyTurn, id: "baseline", name: "baseline", when: "before-first-turn" },
  guardrails: { ...everyTurn, id: "guardrails", name: "guardrails" },
  criteria: { ...onClaim, id: "criteria", kind: criterionKind, name: "criteria", tells: "reason" },
  children: { ...onClaim, id: childrenKind, kind: childrenKind, name: "children gone", tells: "notes" },
};

const shownList: Gate = {
  ...everyTurn,
  id: taskListGateId,
  kind: taskListKind,
  name: "the task list",
  isAlways: true,
  tells: "notes",
};

function liftEffect(effect: Fields): Fields {
  const { type, id, iteration, of, wallMs, tasks, isApprovalAllowed, feedback } = effect;
  switch (type) {
    case "run-checks": {
      const gate = of === "baseline" || of === "criteria" || of === "children" ? shownGates[of] : shownGates.guardrails;
      const isOnClaim = gate.when === "on-claim";
      return {
        type: "run-gate",
        id,
        gate,
        iteration,
        ...noCandidate,
        hasClaim: isOnClaim,
        isGreenSoFar: isOnClaim,
        slot: null,
        wallMs,
      };
    }
    case "repair-tasks": {
      const order = { hasClaim: false, isGreenSoFar: isApprovalAllowed, slot: slotOf(tasks), wallMs: null };
      return { type: "run-gate", id, gate: shownList, iteration, ...noCandidate, ...order };
    }
    case "begin-turn":
      return {
        ...effect,
        ...noRefusal,
        feedback: Array.isArray(feedback) ? feedback.map((each) => feedbackOfVersion2(each, [])) : feedback,
      };
    case "deliver":
      return { ...effect, ...noCandidate };
    default:
      return effect;
  }
}

function liftObservation(observation: Fields): Fields {
  const { tasks } = observation;
  switch (observation["type"]) {
    case "checks-finished":
      return { ...observation, type: "gate-finished", stop: null, slot: null, word: null };
    case "tasks-repaired":
      return repaired(observation);
    case "run-resumed":
      return { ...without(observation, ["tasks"]), begin: beginOf(tasks) };
    default:
      return observation;
  }
}

function repaired(observation: Fields): Fields {
  const { isComplete, violations, remark, stop, tasks, ...moment } = observation;
  const isFailed = tasks === null && fieldsOf(stop)?.["name"] === "failed";
  const assignment = fieldsOf(tasks)?.["assignment"] ?? null;
  const isWorkLeft = tasks === null || assignment !== null;
  return {
    ...moment,
    type: "gate-finished",
    verdicts: [listVerdict(!isFailed)],
    isCut: false,
    spend: noSpend,
    stop,
    slot: slotOf(tasks),
    word: { isClaim: isComplete, isWorkLeft, assignment, notes: violations, remark: remark ?? null },
  };
}

function beginOf(tasks: unknown): Fields | null {
  const slot = slotOf(tasks);
  if (slot === null) return null;
  const assignment = slot["assignment"] ?? null;
  return { slots: { [taskListGateId]: slot }, assignment, isWorkLeft: assignment !== null };
}

function slotOf(tasks: unknown): Fields | null {
  const fields = fieldsOf(tasks);
  return fields === null ? null : without(fields, ["head"]);
}
