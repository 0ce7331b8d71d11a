import {
  optional,
  count,
  flag,
  list,
  mapOf,
  nullable,
  number,
  oneOf,
  objectOf,
  type Shape,
  tagged,
  text,
} from "../../shape/shape.ts";
import type { Attempt } from "../attempt.ts";
import type { Feedback } from "../feedback.ts";
import type { PendingEffect } from "../effect.ts";
import type { Outcome } from "../outcome.ts";
import type { Policy } from "../policy.ts";
import { type RunState, runStateVersion } from "../state.ts";
import { spendShape, textRefShape, turnReportShape, verdictShape } from "./evidence-shapes.ts";
import { assignmentShape, gateShape, gateWordShape, slotShape, slotsShape } from "./gate-shapes.ts";

const limitShape = nullable(number);

/** Every number and switch of a run. The gates are among them: none may be missing. */
export const policyShape: Shape<Policy> = objectOf<Policy>({
  kind: oneOf("run", "supervise", "prd", "work", "session"),
  iterationsMax: nullable(count),
  completionText: text,
  signals: list(oneOf("promise", "response")),
  requireProgress: flag,
  claimBy: oneOf("tag", "done-file", "gate", "stop"),
  gates: list(gateShape),
  contract: objectOf({ revision: count, hash: text }),
  hasDelivery: flag,
  hasFinalDelivery: flag,
  canReject: flag,
  emptyTurnsMax: nullable(count),
  turnIdleMs: limitShape,
  turnWallMs: limitShape,
  resultGraceMs: number,
  restartDelayMs: number,
  isRestartDelayBounded: optional(oneOf(true as const)),
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

export const outcomeShape: Shape<Outcome> = objectOf<Outcome>({
  name: oneOf("completed", "exhausted", "failed", "waiting", "stopped", "cancelled", "interrupted"),
  reason: text,
  isVerified: optional(flag),
});

const labelShape = optional(oneOf("baseline-broken", "regressed"));

const feedbackShape: Shape<Feedback> = tagged<"kind", Feedback>("kind", {
  output: objectOf<Extract<Feedback, { kind: "output" }>>({
    kind: oneOf("output"),
    name: text,
    exitCode: number,
    logFile: nullable(text),
    output: textRefShape,
    label: labelShape,
  }),
  reason: objectOf<Extract<Feedback, { kind: "reason" }>>({
    kind: oneOf("reason"),
    name: text,
    reason: text,
    output: textRefShape,
    label: labelShape,
  }),
  note: objectOf<Extract<Feedback, { kind: "note" }>>({ kind: oneOf("note"), text }),
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
    refusal: nullable(text),
    attempts: list(attemptShape),
    assignment: nullable(assignmentShape),
    sessionId: nullable(text),
    limits: objectOf({ idleMs: limitShape, wallMs: limitShape, resultGraceMs: number }),
    isRecheck: flag,
  }),
  "run-gate": objectOf<Pending<"run-gate">>({
    type: oneOf("run-gate"),
    id: count,
    gate: gateShape,
    iteration: count,
    candidate: nullable(text),
    hasClaim: flag,
    isGreenSoFar: flag,
    isUnproven: optional(oneOf(true as const)),
    slot: slotShape,
    wallMs: limitShape,
  }),
  deliver: objectOf<Pending<"deliver">>({
    type: oneOf("deliver"),
    id: count,
    iteration: count,
    of: oneOf("iteration", "completion"),
    candidate: nullable(text),
  }),
  "set-timer": objectOf<Pending<"set-timer">>({
    type: oneOf("set-timer"),
    id: count,
    reason: oneOf("back-off", "usage-limit", "restart-delay", "continuation-delay", "recovery"),
    durationMs: number,
    dueAt: number,
  }),
});

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
    verdicts: mapOf(list(verdictShape)),
    words: mapOf(gateWordShape),
    isDelivered: flag,
    candidate: nullable(text),
    isRecheck: flag,
    unstablePaths: nullable(list(text)),
  }),
  feedback: list(feedbackShape),
  refusal: nullable(text),
  slots: slotsShape,
  assignment: nullable(assignmentShape),
  isWorkLeft: flag,
  dueGates: list(text),
  afterGates: nullable(objectOf({ pending: nullable(pendingShape), isHeld: flag })),
  baseline: nullable(list(objectOf({ name: text, isPassed: flag }))),
  attempts: list(attemptShape),
  turnProcess: nullable(
    objectOf<NonNullable<RunState["turnProcess"]>>({ pid: count, startTime: text, ownNamespace: optional(text) }),
  ),
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
