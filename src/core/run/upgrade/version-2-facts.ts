import type { Verdict } from "../../verification/verdict.ts";
import { childrenKind } from "../../contract/children.ts";
import type { Gate, Json } from "../../contract/gate.ts";
import { guardrailKind } from "../../contract/guardrail.ts";
import { taskListGateId } from "../../contract/task-list.ts";
import { hasShape } from "../../shape/shape.ts";
import type { Effect } from "../effect.ts";
import { type Fields, without } from "./upgrade-step.ts";
import { feedbackOfVersion2, listVerdict, noCandidate, noRefusal, wordOf } from "./version-2-entries.ts";
import {
  type ChecksOf2,
  type Facts2,
  repairTasks2Shape,
  type RunChecks2,
  runChecks2Shape,
  type State2,
} from "./version-2.ts";

/** What is already known of the run in its new form. */
export type Kept2 = {
  gates: readonly Gate[];
  slots: Record<string, Json>;
  /** Of the guardrails, by their index. */
  commands: readonly string[];
};

type RunGate = Extract<Effect, { type: "run-gate" }>;

/** The order in flight under its new name. Several checks at once begin again with the first of them. */
export function orderOfVersion2(pending: Fields | null, kept: Kept2): Fields | null | string {
  if (pending === null) return null;
  switch (pending["type"]) {
    case "run-checks":
      if (!hasShape(runChecks2Shape, pending)) return runChecks2Shape.problem(pending, "pending") ?? "";
      return checksOrder(pending, kept);
    case "repair-tasks": {
      if (!hasShape(repairTasks2Shape, pending)) return repairTasks2Shape.problem(pending, "pending") ?? "";
      const gate = kept.gates.find(({ id }) => id === taskListGateId);
      if (gate === undefined) return "pending is about a task list, and the run has none";
      const { id, iteration, isApprovalAllowed } = pending;
      return runGate(gate, kept, { id, iteration, wallMs: null, hasClaim: false, isGreenSoFar: isApprovalAllowed });
    }
    case "begin-turn": {
      const { feedback } = pending;
      if (!Array.isArray(feedback)) return "pending.feedback is not a list";
      return { ...pending, ...noRefusal, feedback: feedback.map((each) => feedbackOfVersion2(each, kept.commands)) };
    }
    case "deliver":
      return { ...pending, ...noCandidate };
    default:
      return pending;
  }
}

/**
 * What the iteration has shown so far, by gate. Results of checks that come after the order in flight, or of fewer checks
 * than the run has, are dropped: those gates are asked again.
 */
export function factsOfVersion2(state: State2, gates: readonly Gate[]): Fields {
  const { facts, tasks, policy } = state;
  const stage = stageOf(state.afterRepair === null ? state.pending : state.afterRepair.pending);
  const isShown = (of: Stage): boolean => stages.indexOf(stage) > stages.indexOf(of);
  // A list that could not be put in order is not green.
  const list = isShown("list") && !state.isListOpen ? facts.tasks : null;
  const commands = gates.filter(({ kind, when }) => kind === guardrailKind && when === "every-turn");
  const claims = gates.filter(({ kind, when }) => kind !== childrenKind && when === "on-claim");
  const guardrails = isShown("guardrails") ? whole(facts.guardrails, policy.guardrailCount) : [];
  const criteria = isShown("criteria") ? whole(facts.criteria, policy.criterionCount) : [];
  const children = isShown("children") ? (facts.children ?? []) : [];
  const verdicts: [string, Verdict[]][] = [
    ...guardrails.flatMap((verdict, index) => commands.slice(index, index + 1).map(({ id }) => entry(id, [verdict]))),
    ...(list === null ? [] : [entry(taskListGateId, [listVerdict(true)])]),
    ...(criteria.length === 0 ? [] : claims.map(({ id }) => entry(id, criteria))),
    ...(children.length === 0 ? [] : [entry(childrenKind, children)]),
  ];
  return {
    ...without(facts, ["guardrails", "criteria", "children", "tasks"]),
    ...noCandidate,
    isRecheck: false,
    unstablePaths: null,
    verdicts: Object.fromEntries(verdicts),
    words: list === null ? {} : { [taskListGateId]: wordOf(list, tasks) },
    // It meant a commit; now it means that a delivery was tried, which is certain of whatever comes after one.
    isDelivered: facts.isDelivered || (stage !== "end" && isShown("delivery")) || isFinalDelivery(state.pending),
  };
}

/** The order of an iteration then. */
const stages = ["guardrails", "list", "delivery", "criteria", "children", "end"] as const;
type Stage = (typeof stages)[number];

/** The stage that the order in flight belongs to; `end` for those between iterations. */
function stageOf(pending: Fields | null): Stage {
  switch (pending?.["type"]) {
    case "run-checks":
      return pending["of"] === "criteria" || pending["of"] === "children" ? pending["of"] : "guardrails";
    case "repair-tasks":
      return "list";
    case "deliver":
      return isFinalDelivery(pending) ? "end" : "delivery";
    default:
      return "end";
  }
}

function isFinalDelivery(pending: Fields | null): boolean {
  return pending?.["type"] === "deliver" && pending["of"] === "completion";
}

/** All of them or none. */
function whole(verdicts: Facts2["criteria"], expected: number): Verdict[] {
  return verdicts !== null && verdicts.length === expected ? verdicts : [];
}

function entry(id: string, verdicts: Verdict[]): [string, Verdict[]] {
  return [id, verdicts];
}

function checksOrder(pending: RunChecks2, kept: Kept2): Fields | null | string {
  const { id, iteration, of, wallMs } = pending;
  const gate = kept.gates.find((each) => isAskedFor(each, of));
  // Without any check there was an empty look before the first turn; the next order is that turn.
  if (gate === undefined) return of === "baseline" ? null : `pending is about ${of}, and the run has none`;
  const isOnClaim = gate.when === "on-claim";
  return runGate(gate, kept, { id, iteration, wallMs, hasClaim: isOnClaim, isGreenSoFar: isOnClaim });
}

function isAskedFor({ kind, when }: Gate, of: ChecksOf2): boolean {
  switch (of) {
    case "baseline":
      return when === "before-first-turn";
    case "guardrails":
      return when === "every-turn" && kind === guardrailKind;
    case "criteria":
      return when === "on-claim" && kind !== childrenKind;
    case "children":
      return kind === childrenKind;
  }
}

function runGate(gate: Gate, { slots }: Kept2, order: Omit<RunGate, "type" | "gate" | "slot" | "candidate">): Fields {
  return { type: "run-gate", gate, slot: slots[gate.id] ?? null, ...noCandidate, ...order };
}
