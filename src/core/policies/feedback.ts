import type { TextRef } from "../checks/verdict.ts";
import type { RunState } from "../engine/state.ts";
import { earlyClaimNote } from "../prompts/prompt-texts.ts";
import { type BaselineLabel, baselineLabel } from "./baseline.ts";
import { isUnmovedClaim } from "./gates.ts";

/** One reason that goes into the next prompt. */
export type Feedback =
  | {
      kind: "guardrail";
      index: number;
      exitCode: number;
      logFile: string | null;
      output: TextRef;
      label?: BaselineLabel;
    }
  | { kind: "criterion"; name: string; reason: string; output: TextRef; label?: BaselineLabel }
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
  const isTooEarly = policy.hasTasks && claims?.isPromised === true && facts.tasks?.isComplete === false;
  return [
    ...guardrails.map(({ name, index, exitCode, logFile, output }) => ({
      kind: "guardrail" as const,
      index,
      exitCode,
      logFile,
      output,
      ...labelled(state, name),
    })),
    ...criteria.map(({ name, reason, output }) => ({
      kind: "criterion" as const,
      name,
      reason,
      output,
      ...labelled(state, name),
    })),
    ...taskFeedback(facts.tasks?.violations ?? []),
    ...(isTooEarly ? [{ kind: "task" as const, text: earlyClaimNote }] : []),
    ...(isUnmovedClaim(state) ? [{ kind: "unchanged" as const }] : []),
    ...(isOnlyMentioned ? [{ kind: "mentioned" as const }] : []),
    ...(wrong === null ? [] : [{ kind: "wrong-promise" as const, found: wrong, expected: policy.completionText }]),
  ];
}

/** What was undone in the task list, as the agent will read it. */
export function taskFeedback(violations: readonly string[]): Feedback[] {
  return violations.map((text) => ({ kind: "task", text }));
}

function labelled({ baseline }: RunState, name: string): { label?: BaselineLabel } {
  const label = baselineLabel(baseline, name);
  return label === null ? {} : { label };
}
