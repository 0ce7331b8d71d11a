import type { TextRef } from "../checks/verdict.ts";
import type { RunState } from "../engine/state.ts";
import { isUnmovedClaim } from "./gates.ts";

/** One reason that goes into the next prompt. */
export type Feedback =
  | { kind: "guardrail"; index: number; exitCode: number; logFile: string | null; output: TextRef }
  | { kind: "criterion"; name: string; reason: string; output: TextRef }
  | { kind: "task"; text: string }
  | { kind: "unchanged" }
  | { kind: "mentioned" }
  | { kind: "wrong-promise"; found: string; expected: string }
  | { kind: "answer"; text: TextRef };

/** What this iteration leaves for the next prompt, in the order of design §10; nothing failed: nothing. */
export function iterationFeedback(state: RunState): Feedback[] {
  const { facts, policy } = state;
  const claims = facts.report?.claims;
  const guardrails = (facts.guardrails ?? []).filter((verdict) => !verdict.isPassed);
  const criteria = (facts.criteria ?? []).filter((verdict) => !verdict.isPassed);
  const wrong = claims?.isPromised === false ? claims.wrongPromise : null;
  const isOnlyMentioned = claims?.isMentioned === true && !claims.isPromised && wrong === null;
  return [
    ...guardrails.map(({ index, exitCode, logFile, output }) => ({
      kind: "guardrail" as const,
      index,
      exitCode,
      logFile,
      output,
    })),
    ...criteria.map(({ name, reason, output }) => ({ kind: "criterion" as const, name, reason, output })),
    ...(facts.tasks?.violations ?? []).map((text) => ({ kind: "task" as const, text })),
    ...(isUnmovedClaim(state) ? [{ kind: "unchanged" as const }] : []),
    ...(isOnlyMentioned ? [{ kind: "mentioned" as const }] : []),
    ...(wrong === null ? [] : [{ kind: "wrong-promise" as const, found: wrong, expected: policy.completionText }]),
  ];
}
