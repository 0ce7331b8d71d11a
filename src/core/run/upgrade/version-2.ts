import type { TextRef, Verdict } from "../../verification/verdict.ts";
import { count, flag, list, nullable, number, objectOf, oneOf, type Shape, text } from "../../shape/shape.ts";
import type { Assignment } from "../../contract/assignment.ts";
import type { RunKind } from "../../contract/run-kind.ts";
import { textRefShape, verdictShape } from "./evidence-shapes.ts";
import { assignmentShape } from "./gate-shapes.ts";
import type { Fields } from "./upgrade-step.ts";

/** What version 2 stored otherwise than version 3: each check was a field of its own. Nothing else is described here. */
export type Policy2 = {
  kind: RunKind;
  guardrailCount: number;
  criterionCount: number;
  hasTasks: boolean;
  hasBaseline: boolean;
  hasChildren: boolean;
  guardrailWallMs: number | null;
  criterionWallMs: number | null;
  childrenWallMs: number | null;
  hasMarkers: boolean;
};

export const policy2Shape: Shape<Policy2> = objectOf<Policy2>({
  kind: oneOf("run", "supervise", "prd", "work", "session"),
  guardrailCount: count,
  criterionCount: count,
  hasTasks: flag,
  hasBaseline: flag,
  hasChildren: flag,
  guardrailWallMs: nullable(number),
  criterionWallMs: nullable(number),
  childrenWallMs: nullable(number),
  hasMarkers: flag,
});

/** The task list's memory; `head` was also part of `dirty`. */
export type Tasks2 = { copy: TextRef; assignment: Assignment | null; head: string | null; dirty: TextRef };

const tasks2Shape: Shape<Tasks2> = objectOf<Tasks2>({
  copy: textRefShape,
  assignment: nullable(assignmentShape),
  head: nullable(text),
  dirty: textRefShape,
});

export type Facts2 = {
  guardrails: Verdict[] | null;
  criteria: Verdict[] | null;
  children: Verdict[] | null;
  tasks: { isComplete: boolean; violations: string[]; remark: string | null } | null;
  isDelivered: boolean;
};

const verdictsShape = nullable(list(verdictShape));

const facts2Shape: Shape<Facts2> = objectOf<Facts2>({
  guardrails: verdictsShape,
  criteria: verdictsShape,
  children: verdictsShape,
  tasks: nullable(objectOf({ isComplete: flag, violations: list(text), remark: nullable(text) })),
  isDelivered: flag,
});

/** What the checks of one order were for. */
export const checksOf2 = ["baseline", "guardrails", "criteria", "children"] as const;
export type ChecksOf2 = (typeof checksOf2)[number];

export type RunChecks2 = {
  type: "run-checks";
  id: number;
  iteration: number;
  of: ChecksOf2;
  wallMs: number | null;
};

export const runChecks2Shape: Shape<RunChecks2> = objectOf<RunChecks2>({
  type: oneOf("run-checks"),
  id: count,
  iteration: count,
  of: oneOf(...checksOf2),
  wallMs: nullable(number),
});

export type RepairTasks2 = {
  type: "repair-tasks";
  id: number;
  iteration: number;
  tasks: Tasks2 | null;
  isApprovalAllowed: boolean;
};

export const repairTasks2Shape: Shape<RepairTasks2> = objectOf<RepairTasks2>({
  type: oneOf("repair-tasks"),
  id: count,
  iteration: count,
  tasks: nullable(tasks2Shape),
  isApprovalAllowed: flag,
});

const fieldsShape: Shape<Fields> = objectOf<Fields>({});

export type State2 = {
  policy: Policy2;
  /** Any order; those of checks and of the task list are read further. */
  pending: Fields | null;
  facts: Facts2;
  feedback: Fields[];
  tasks: Tasks2 | null;
  isListOpen: boolean;
  afterRepair: { pending: Fields | null; isHeld: boolean } | null;
};

export const state2Shape: Shape<State2> = objectOf<State2>({
  policy: policy2Shape,
  pending: nullable(fieldsShape),
  facts: facts2Shape,
  feedback: list(fieldsShape),
  tasks: nullable(tasks2Shape),
  isListOpen: flag,
  afterRepair: nullable(objectOf({ pending: nullable(fieldsShape), isHeld: flag })),
});
