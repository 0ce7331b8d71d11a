import type { Failure } from "../../agents/agent-event.ts";
import type { Spend } from "../../agents/spend.ts";
import type { StartError, TurnReport } from "../../agents/turn-report.ts";
import type { StageVerdict, TestSummary, TextRef, Verdict } from "../../verification/verdict.ts";
import type { ClaimReport } from "../../claims/claim-report.ts";
import {
  count,
  either,
  flag,
  list,
  nullable,
  number,
  oneOf,
  optional,
  objectOf,
  type Shape,
  text,
} from "../../shape/shape.ts";
import { verificationMethods } from "../../tasks/criteria/completion-spec.ts";

/** What a turn and its checks leave as evidence, as it stands in state and journal. */
export const textRefShape: Shape<TextRef> = either("blob", objectOf({ blob: text }), objectOf({ text }));

export const spendShape: Shape<Spend> = objectOf<Spend>({
  usd: nullable(number),
  isPartial: optional(oneOf(true as const)),
  isEstimated: optional(oneOf(true as const)),
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
});

const methodShape = oneOf(...verificationMethods);
const isTrue = optional(oneOf(true as const));

const testsShape: Shape<TestSummary> = objectOf<TestSummary>({
  passed: count,
  failed: count,
  skipped: count,
  missing: count,
  added: count,
  names: list(text),
  allowed: optional(list(text)),
  flaky: optional(list(text)),
});

const stageShape: Shape<StageVerdict> = objectOf<StageVerdict>({
  name: text,
  method: methodShape,
  isPassed: flag,
  isRequired: flag,
  reason: text,
  exitCode: number,
  durationMs: number,
  logFile: nullable(text),
  evidence: optional(nullable(text)),
  isCached: isTrue,
  isFallback: isTrue,
  isUnverified: isTrue,
  isSealed: isTrue,
  tests: optional(testsShape),
});

export const verdictShape: Shape<Verdict> = objectOf<Verdict>({
  index: count,
  name: text,
  isPassed: flag,
  exitCode: number,
  isTimedOut: flag,
  durationMs: number,
  reason: text,
  output: textRefShape,
  logFile: nullable(text),
  evidence: optional(nullable(text)),
  method: optional(methodShape),
  stages: optional(list(stageShape)),
  isCached: isTrue,
  isFallback: isTrue,
  isUnverified: isTrue,
  isSealed: isTrue,
  candidate: optional(text),
  isDisputable: isTrue,
  tests: optional(testsShape),
});

const claimsShape: Shape<ClaimReport> = objectOf<ClaimReport>({
  response: nullable(text),
  isPromised: flag,
  wrongPromise: nullable(text),
  blocked: nullable(text),
  question: nullable(text),
  rejected: nullable(text),
  isMentioned: flag,
});

const failureShape: Shape<Failure> = objectOf<Failure>({
  kind: oneOf("authentication", "model", "limit", "other"),
  message: text,
  resetAt: nullable(number),
});

export const turnReportShape: Shape<TurnReport> = objectOf<TurnReport>({
  startError: nullable(
    objectOf<StartError>({
      kind: oneOf("not-found", "not-executable", "bad-directory", "prompt", "sign-in", "task-file", "resources"),
      message: text,
    }),
  ),
  exitCode: nullable(number),
  signal: nullable(text),
  timedOut: nullable(oneOf("idle", "wall")),
  isCut: flag,
  isForced: flag,
  result: oneOf("success", "error", "none"),
  failure: nullable(failureShape),
  claims: claimsShape,
  sessionId: nullable(text),
  spend: spendShape,
  tools: objectOf({ calls: count, errors: count, denied: count, deniedChanges: count, changes: count }),
  deniedRemedy: nullable(text),
  isTreeChanged: nullable(flag),
  output: objectOf({ bytes: count, lines: count, unparsedLines: count }),
  isEmpty: flag,
  supervised: nullable(objectOf({ isDone: flag, waiting: nullable(text) })),
  isSkipped: flag,
  errorOutput: text,
  survivors: list(number),
});
