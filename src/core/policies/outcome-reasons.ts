import { describeTurnEnd, isFailedTurn } from "../agents/turn-report.ts";
import {
  completionBelieved,
  completionVerified,
  exhaustedAfter,
  exhaustedUnclaimed,
  noPromise,
} from "../verification/verification-texts.ts";
import type { Verdict } from "../verification/verdict.ts";
import { proofText } from "../verification/verdict-word.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import type { RunState } from "../run/state.ts";
import { attemptsKept } from "./attempts.ts";
import { firstRed, isVerified, undeliveredReason, verdictsOf } from "./gates.ts";

/** The one sentence of each outcome that has no other source. */
export const cancelledReason = "Cancelled by request.";

/** The run stopped at a signal. Stored runs hold this text, and replay compares it: a change needs a new recording. */
export const interruptedReason = "Interrupted by a signal; `ralph resume` goes on.";

/** A task list without open tasks whose work is not accepted: no turn can repair it, and a person reads what to do. */
export function nothingLeftReason(state: RunState): string {
  const red = firstRed(state);
  const what = red === undefined ? "" : `: ${red.name}: ${shortened(red.reason).replace(/\.$/u, "")}`;
  const why = undeliveredReason(state) ?? `the checks are not green${what}.`;
  return `Every task is approved, but ${why} ${nothingLeftRemedy}`;
}

const nothingLeftRemedy =
  "No turn is left for it: repair it yourself, or set a story back to changes_requested with its reviewFeedback; then resume.";

/** The iterations are used up. */
export function exhaustedReason(state: RunState): string {
  const { policy, refusal } = state;
  if (policy.kind === "work") return exhaustedRole(state);
  if (policy.kind === "supervise") return exhaustedSupervised(state);
  const sentence = usedUp(policy.kind, policy.iterationsMax ?? 0);
  const failed = failedLast(state);
  if (failed !== null) return `${sentence} ${failed}`;
  if (refusal !== null) return `${sentence} The last claim was refused: ${shortened(refusal)}`;
  const red = firstRed(state);
  const why =
    red === undefined ? unclaimedWhy(state) : `The last check that failed: ${red.name}: ${shortened(red.reason)}`;
  return why === null ? sentence : `${sentence} ${why}`;
}

/** What a person should look at when nothing is red, in a sentence; null: nothing stands out. */
export function unclaimedWhy({ facts: { report } }: Pick<RunState, "facts">): string | null {
  if (report === null) return null;
  const { denied } = report.tools;
  if (denied > 0)
    return `In the last turn ${count(denied, "tool call")} of the agent ${denied === 1 ? "was" : "were"} denied.`;
  if (report.isEmpty) return "The agent printed nothing in its last turn.";
  return report.claims.isMentioned
    ? "The agent mentioned the completion tag in its last turn and did not claim."
    : null;
}

/** How the last turn failed, as a sentence; null when it did not. */
function failedLast({ facts: { report } }: RunState): string | null {
  return report === null || !isFailedTurn(report) ? null : `The last turn ${sentenceEnd(describeTurnEnd(report))}`;
}

function sentenceEnd(words: string): string {
  return /[.!?…]$/u.test(words) ? words : `${words}.`;
}

/** Names refused DONE files, also when the last runs made none; of many only the newest are known. */
function exhaustedSupervised({ policy, attempts }: RunState): string {
  const within = `DONE within ${count(policy.iterationsMax ?? 0, "run")}.`;
  const refused = attempts.filter((attempt) => attempt.isClaimed);
  const last = refused.at(-1);
  const unclaimed = attempts.findLast(({ reason }) => reason !== noPromise)?.reason ?? null;
  if (last === undefined)
    return `Max restarts exceeded: no ${within}${unclaimed === null ? "" : ` ${sentenceEnd(shortened(unclaimed))}`}`;
  const often = `${refused.length === attemptsKept ? "at least " : ""}${count(refused.length, "time")}`;
  const why = `DONE was refused ${often}, last after run ${last.iteration}: ${shortened(last.reason)}`;
  return `Max restarts exceeded: no accepted ${within} ${why}`;
}

function usedUp(kind: RunState["policy"]["kind"], iterationsMax: number): string {
  const within = `within ${count(iterationsMax, "iteration")}.`;
  return kind === "prd" ? `Not every story is done ${within}` : `No accepted claim ${within}`;
}

/** A refusal may contain the words of a judge or of git; the journal has the full text. */
const refusalCharsMax = 300;

function shortened(refusal: string): string {
  const [line = ""] = refusal.trim().split("\n");
  return line.length > refusalCharsMax ? `${line.slice(0, refusalCharsMax)}…` : line;
}

/** The fixed sentences of a role (S2-13, S2-16); the outcome says that it failed, whatever the reason says (CW-2C). */
function exhaustedRole(state: RunState): string {
  const { facts, policy } = state;
  const { report } = facts;
  const why = failedLast(state);
  if (why !== null) return `${exhaustedUnclaimed}. ${why}`;
  if (report === null || !isClaimed(report.claims, policy)) return exhaustedUnclaimed;
  const failed = firstRed({ facts, policy });
  return failed === undefined ? exhaustedUnclaimed : exhaustedAfter(failed.reason);
}

/** Names the evidence of a completion, or says that no check is configured. */
export function completedReason(state: RunState): string {
  if (state.policy.claimBy === "done-file") return doneReason(state);
  if (state.policy.kind === "work") return isVerified(state) ? completionVerified : completionBelieved;
  const found = verdictsOf(state);
  const proof = found.length === 0 ? "no check is configured" : proofText(shownVerdicts(state));
  return [`${acceptedWhen(state)}: ${proof}.`, ...remarks(state)].join(" ");
}

/** A task list may be finished when its run begins: then the gates run without any turn. */
function acceptedWhen({ iteration }: RunState): string {
  return iteration === 0 ? "Every task was approved before the first turn" : `Claim accepted in iteration ${iteration}`;
}

function shownVerdicts(state: RunState): Verdict[] {
  const shown = verdictsOf(state).filter(({ gate }) => gate.tells !== "notes" || gate.isAlways);
  return shown.map(({ verdict }) => verdict);
}

function remarks({ facts }: RunState): string[] {
  return Object.values(facts.words).flatMap(({ remark }) => (remark === null ? [] : [remark]));
}

function doneReason(state: RunState): string {
  const { facts, iteration } = state;
  const when = facts.report?.isSkipped === true ? `before run ${iteration + 1}` : `after run ${iteration}`;
  const checks = verdictsOf(state).filter(({ gate }) => gate.tells !== "notes");
  const proof = checks.length === 0 ? "" : `: ${proofText(shownVerdicts(state))}`;
  return [`DONE found ${when}${proof}.`, ...remarks(state)].join(" ");
}

function count(value: number, one: string): string {
  return `${value} ${one}${value === 1 ? "" : "s"}`;
}
