import {
  optional,
  count,
  flag,
  list,
  nullable,
  number,
  oneOf,
  objectOf,
  type Shape,
  tagged,
  text,
} from "../../shape/shape.ts";
import type { Attempt } from "../../policies/attempts.ts";
import type { Feedback } from "../../policies/feedback.ts";
import type { Assignment, TaskListState } from "../../tasks/task-list-state.ts";
import type { PendingEffect } from "../effect.ts";
import type { Outcome } from "../outcome.ts";
import type { Policy } from "../policy.ts";
import { type RunState, runStateVersion } from "../state.ts";
import { spendShape, textRefShape, turnReportShape, verdictShape } from "./evidence-shapes.ts";

const limitShape = nullable(number);

/** Every number and switch of a run. The fields that make gates are among them: none may be missing. */
export const policyShape: Shape<Policy> = objectOf<Policy>({
  kind: oneOf("run", "supervise", "prd", "work", "session"),
  iterationsMax: nullable(count),
  completionText: text,
  signals: list(oneOf("promise", "response")),
  requireProgress: flag,
  guardrailCount: count,
  criterionCount: count,
  hasDelivery: flag,
  hasFinalDelivery: flag,
  hasTasks: flag,
  hasBaseline: flag,
  canReject: flag,
  emptyTurnsMax: nullable(count),
  hasChildren: flag,
  turnIdleMs: limitShape,
  turnWallMs: limitShape,
  resultGraceMs: number,
  guardrailWallMs: limitShape,
  criterionWallMs: limitShape,
  childrenWallMs: limitShape,
  hasMarkers: flag,
  restartDelayMs: number,
  retryDelayMs: number,
  failuresMax: nullable(count),
  unchangedMax: nullable(count),
  budgetUsd: limitShape,
  budgetTokens: limitShape,
  budgetMs: limitShape,
  settling: nullable(
    objectOf({ waitMs: objectOf({ error: number, background: number, silence: number }), longestMs: number }),
  ),
  context: oneOf("continue", "reset"),
  seed: number,
});

const outcomeShape: Shape<Outcome> = objectOf<Outcome>({
  name: oneOf("completed", "exhausted", "failed", "waiting", "stopped", "cancelled", "interrupted"),
  reason: text,
});

const assignmentShape: Shape<Assignment> = objectOf<Assignment>({
  role: oneOf("implement", "review", "review-fix"),
  taskId: text,
});

const taskListShape: Shape<TaskListState> = objectOf<TaskListState>({
  copy: textRefShape,
  assignment: nullable(assignmentShape),
  head: nullable(text),
  dirty: textRefShape,
});

const labelShape = optional(oneOf("baseline-broken", "regressed"));

const feedbackShape: Shape<Feedback> = tagged<"kind", Feedback>("kind", {
  guardrail: objectOf<Extract<Feedback, { kind: "guardrail" }>>({
    kind: oneOf("guardrail"),
    index: count,
    exitCode: number,
    logFile: nullable(text),
    output: textRefShape,
    label: labelShape,
  }),
  criterion: objectOf<Extract<Feedback, { kind: "criterion" }>>({
    kind: oneOf("criterion"),
    name: text,
    reason: text,
    output: textRefShape,
    label: labelShape,
  }),
  task: objectOf<Extract<Feedback, { kind: "task" }>>({ kind: oneOf("task"), text }),
  unchanged: objectOf<Extract<Feedback, { kind: "unchanged" }>>({ kind: oneOf("unchanged") }),
  mentioned: objectOf<Extract<Feedback, { kind: "mentioned" }>>({ kind: oneOf("mentioned") }),
  "wrong-promise": objectOf<Extract<Feedback, { kind: "wrong-promise" }>>({
    kind: oneOf("wrong-promise"),
    found: text,
    expected: text,
  }),
  answer: objectOf<Extract<Feedback, { kind: "answer" }>>({ kind: oneOf("answer"), text: textRefShape }),
});

const attemptShape: Shape<Attempt> = objectOf<Attempt>({
  iteration: count,
  isClaimed: flag,
  isVerified: flag,
  reason: text,
});

type Pending<Type extends PendingEffect["type"]> = Extract<PendingEffect, { type: Type }>;

const pendingShape: Shape<PendingEffect> = tagged<"type", PendingEffect>("type", {
  "begin-turn": objectOf<Pending<"begin-turn">>({
    type: oneOf("begin-turn"),
    id: count,
    iteration: count,
    iterationsMax: nullable(count),
    feedback: list(feedbackShape),
    attempts: list(attemptShape),
    assignment: nullable(assignmentShape),
    sessionId: nullable(text),
    limits: objectOf({ idleMs: limitShape, wallMs: limitShape, resultGraceMs: number }),
    isLookOnly: flag,
  }),
  "run-checks": objectOf<Pending<"run-checks">>({
    type: oneOf("run-checks"),
    id: count,
    iteration: count,
    of: oneOf("baseline", "guardrails", "criteria", "children"),
    wallMs: limitShape,
  }),
  deliver: objectOf<Pending<"deliver">>({
    type: oneOf("deliver"),
    id: count,
    iteration: count,
    of: oneOf("iteration", "completion"),
  }),
  "repair-tasks": objectOf<Pending<"repair-tasks">>({
    type: oneOf("repair-tasks"),
    id: count,
    iteration: count,
    tasks: nullable(taskListShape),
    isApprovalAllowed: flag,
  }),
  "set-timer": objectOf<Pending<"set-timer">>({
    type: oneOf("set-timer"),
    id: count,
    reason: oneOf("back-off", "usage-limit", "restart-delay", "continuation-delay", "recovery"),
    durationMs: number,
    dueAt: number,
  }),
});

const verdictsShape = nullable(list(verdictShape));

/** The whole state of a run, as the present version stores it. */
export const runStateShape: Shape<RunState> = objectOf<RunState>({
  version: oneOf(runStateVersion),
  policy: policyShape,
  iteration: count,
  nextEffectId: count,
  pending: nullable(pendingShape),
  isHeld: flag,
  facts: objectOf<RunState["facts"]>({
    report: nullable(turnReportShape),
    guardrails: verdictsShape,
    criteria: verdictsShape,
    children: verdictsShape,
    tasks: nullable(objectOf({ isComplete: flag, violations: list(text), remark: nullable(text) })),
    isDelivered: flag,
  }),
  feedback: list(feedbackShape),
  tasks: nullable(taskListShape),
  isListOpen: flag,
  afterRepair: nullable(objectOf({ pending: nullable(pendingShape), isHeld: flag })),
  baseline: nullable(list(objectOf({ name: text, isPassed: flag }))),
  attempts: list(attemptShape),
  turnProcess: nullable(objectOf({ pid: count, startTime: text })),
  failuresInRow: count,
  startFailuresInRow: count,
  limitWaitsInRow: count,
  unchangedInRow: count,
  emptyInRow: count,
  isAnythingChanged: flag,
  lastCheckResults: text,
  unsettled: nullable(objectOf({ since: number, until: number })),
  recentVerdicts: list(objectOf({ iteration: count, isPassed: flag, reason: text })),
  sessionId: nullable(text),
  spend: spendShape,
  liveSpend: spendShape,
  usedMs: number,
  lastUpMs: number,
  lastRequestSeq: count,
  isCancelAsked: flag,
  isPauseAsked: flag,
  isInterruptAsked: flag,
  ending: nullable(objectOf({ outcome: outcomeShape })),
  outcome: nullable(outcomeShape),
  deliveryProblem: nullable(text),
});
