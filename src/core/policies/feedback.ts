import type { BaselineLabel, Feedback } from "../run/feedback.ts";
import type { RunState } from "../run/state.ts";
import { earlyClaimNote, refusedNote } from "../prompts/prompt-texts.ts";
import { baselineLabel } from "./baseline.ts";
import { isUnmovedClaim, undeliveredReason, verdictsOf } from "./gates.ts";

/** The feedback of this iteration for the next prompt: checks, notes, then the claim; empty when nothing failed. */
export function iterationFeedback(state: RunState): Feedback[] {
  const { facts, policy } = state;
  const claims = facts.report?.claims;
  const wrong = claims?.isPromised === false ? claims.wrongPromise : null;
  const isOnlyMentioned = claims?.isMentioned === true && !claims.isPromised && wrong === null;
  const words = Object.values(facts.words);
  const undelivered = undeliveredReason(state);
  const isTooEarly = policy.claimBy === "gate" && claims?.isPromised === true && !words.some((word) => word.isClaim);
  return [
    ...redChecks(state, "output"),
    ...redChecks(state, "reason"),
    ...words.flatMap(({ notes }) => notes).map((text) => ({ kind: "note" as const, text })),
    ...(isTooEarly && words.length > 0 ? [{ kind: "note" as const, text: earlyClaimNote }] : []),
    ...(undelivered === null ? [] : [{ kind: "note" as const, text: refusedNote(undelivered) }]),
    ...(isUnmovedClaim(state) ? [{ kind: "unchanged" as const }] : []),
    ...(isOnlyMentioned ? [{ kind: "mentioned" as const }] : []),
    ...(wrong === null ? [] : [{ kind: "wrong-promise" as const, found: wrong, expected: policy.completionText }]),
  ];
}

function redChecks(state: RunState, tells: "output" | "reason"): Feedback[] {
  return verdictsOf(state)
    .filter(({ gate, verdict }) => gate.tells === tells && !verdict.isPassed)
    .map(({ verdict: { name, exitCode, logFile, output, reason } }) =>
      tells === "output"
        ? { kind: "output", name, exitCode, logFile, output, ...labelled(state, name) }
        : { kind: "reason", name, reason, output, ...labelled(state, name) },
    );
}

function labelled({ baseline }: RunState, name: string): { label?: BaselineLabel } {
  const label = baselineLabel(baseline, name);
  return label === null ? {} : { label };
}
