import { isFailedTurn } from "../agents/turn-report.ts";
import type { Verdict } from "../verification/verdict.ts";
import { isProof } from "../verification/verdict-word.ts";
import { isClaimed } from "../claims/judge-claim.ts";
import type { Gate } from "../contract/gate.ts";
import { uncommittedReason, unstableReason } from "../prompts/prompt-texts.ts";
import type { IterationFacts, RunState } from "../run/state.ts";

/** What an iteration needs next: a gate, the delivery, or its conclusion. */
export type NextStage = { kind: "gate"; gate: Gate } | { kind: "delivery" } | { kind: "conclusion" };

/**
 * The order of an iteration after its turn: the gates of every turn, with a claim those before delivery, the delivery,
 * with a claim the others. All gates of a group run; the next group runs only when this one is green. A red verdict in dispute lets
 * the gates before delivery run, and nothing else.
 */
export function nextStage(state: RunState): NextStage {
  const every = ofEveryTurn(state);
  const first = every.find(isUnasked(state)) ?? null;
  if (first !== null) return { kind: "gate", gate: first };
  if (!every.every(isGreenOrDisputable(state))) return { kind: "conclusion" };
  const before = isClaimStanding(state) ? onClaim(state, true) : [];
  const second = before.find(isUnasked(state)) ?? null;
  if (second !== null) return { kind: "gate", gate: second };
  if (![...every, ...before].every(isGreen(state))) return { kind: "conclusion" };
  if (state.policy.hasDelivery && !state.facts.isDelivered) return { kind: "delivery" };
  if (state.facts.unstablePaths !== null) return { kind: "conclusion" };
  const third = isClaimStanding(state) ? onClaim(state, false).find(isUnasked(state)) : undefined;
  return third === undefined ? { kind: "conclusion" } : { kind: "gate", gate: third };
}

/** Gates that run once before the first turn, only for words. */
export function baselineGates({ policy }: RunState): Gate[] {
  return policy.gates.filter(({ when }) => when === "before-first-turn");
}

/** Gates that run before every way out of a turn. */
export function alwaysGates({ policy }: RunState): Gate[] {
  return policy.gates.filter(({ isAlways }) => isAlways);
}

/** The turn did not fail, and every gate of every turn before this one is green. */
export function isGreenBefore(state: RunState, gate: Gate): boolean {
  return isTurnWhole(state) && everyTurnBefore(state, gate).every(isGreen(state));
}

/** The turn did not fail, none of those gates is red, and one of them has not run. */
export function isUnprovenBefore(state: RunState, gate: Gate): boolean {
  const before = everyTurnBefore(state, gate);
  const isOpen = (each: Gate): boolean => isUnasked(state)(each) || isGreen(state)(each);
  return isTurnWhole(state) && before.some(isUnasked(state)) && before.every(isOpen);
}

function isTurnWhole({ facts: { report } }: RunState): boolean {
  return report !== null && !isFailedTurn(report);
}

function everyTurnBefore(state: RunState, gate: Gate): Gate[] {
  const every = ofEveryTurn(state);
  const at = every.findIndex(({ id }) => id === gate.id);
  return every.slice(0, at < 0 ? every.length : at);
}

/**
 * Null when the delivered tree is the one the gates saw, or without a claim. Otherwise every gate runs once more on the
 * delivered tree; when it changes again, the claim is refused with the paths. After a failed commit there is no tree to
 * check.
 */
export function recheck(
  state: RunState,
  { tree = null, differing = [], isUncommitted = false }: DeliveredTree,
): RunState | null {
  const { facts } = state;
  if (!isAnyClaim(state)) return null;
  if (isUncommitted) return { ...state, facts: { ...facts, unstablePaths: [] } };
  if (facts.candidate === null || tree === null || tree === facts.candidate) return null;
  // Without a readable tree there are no paths to name.
  const unstablePaths = differing.length > 0 ? differing : [`the whole tree (${tree})`];
  if (facts.isRecheck) return { ...state, facts: { ...facts, unstablePaths } };
  return { ...state, facts: { ...facts, candidate: tree, isRecheck: true, verdicts: {} } };
}

/** What a delivery reports about the tree in the repository. */
export type DeliveredTree = { tree?: string | null; differing?: string[]; isUncommitted?: boolean };

/** Why the delivered tree differs from the one the gates saw; null when it does not. */
export function undeliveredReason({ facts, deliveryProblem }: RunState): string | null {
  if (facts.unstablePaths === null) return null;
  return facts.unstablePaths.length > 0
    ? unstableReason(facts.unstablePaths)
    : uncommittedReason(deliveryProblem ?? "");
}

/** Completed: a claim of this iteration, and every gate of the contract green in this same iteration. */
export function isComplete(state: RunState): boolean {
  const wanted = state.policy.gates.filter(({ when }) => when !== "before-first-turn");
  return isClaimStanding(state) && wanted.every(isGreen(state)) && state.facts.unstablePaths === null;
}

/** Why the claim of this iteration was refused; null without a claim. */
export function refusalReason(state: RunState): string | null {
  if (!isAnyClaim(state)) return null;
  const undelivered = undeliveredReason(state);
  if (undelivered !== null) return undelivered;
  return (
    firstRed(state)?.reason ?? (isUnmovedClaim(state) ? "nothing has changed since the run began" : "the turn failed")
  );
}

/** At least one verdict of this iteration rests on evidence. */
export function isVerified(state: RunState): boolean {
  return verdictsOf(state).some(({ verdict }) => isProof(verdict));
}

/** What a person must do when the agent is blocked or needs a decision; null otherwise. */
export function waitingReason(state: RunState): string | null {
  const report = state.facts.report;
  if (report?.supervised?.isDone === true) return null;
  if (report !== null && report.supervised !== null && report.supervised.waiting !== null)
    return report.supervised.waiting;
  if (report === null || isFailedTurn(report)) return null;
  if (isRejected(state)) return `Rejected: ${report.claims.rejected}`;
  if (report.claims.blocked !== null) return `${blockedHead}${report.claims.blocked}`;
  if (report.claims.question !== null) return `${questionHead}${report.claims.question}`;
  return null;
}

/** The claim is refused because nothing has changed since the run began. */
export function isUnmovedClaim(state: RunState): boolean {
  return state.policy.requireProgress && !state.isAnythingChanged && isAnyClaim(state);
}

/** Why such a claim is refused, and the setting that decides it: for people. */
export const unmovedClaimWords = "nothing has changed since the run began (setting completion.requireProgress)";

/** The tag, the DONE file, or in runs with a task list the list itself; there the tag alone is not enough. */
export function isAnyClaim(state: RunState): boolean {
  const { facts, policy } = state;
  switch (policy.claimBy) {
    case "done-file":
      return facts.report?.supervised?.isDone === true;
    case "gate":
      return Object.values(facts.words).some((word) => word.isClaim);
    case "stop":
      return facts.report !== null;
    case "tag":
      return facts.report !== null && !isRejected(state) && isClaimed(facts.report.claims, policy);
  }
}

/** Every verdict of this iteration, in the order of the gates. */
export function verdictsOf({ facts, policy }: Pick<RunState, "facts" | "policy">): { gate: Gate; verdict: Verdict }[] {
  return policy.gates.flatMap((gate) => (facts.verdicts[gate.id] ?? []).map((verdict) => ({ gate, verdict })));
}

/** The first red verdict of this iteration; one in dispute only where no other gate says more. */
export function firstRed(state: Pick<RunState, "facts" | "policy">): Verdict | undefined {
  const red = verdictsOf(state).filter(({ verdict }) => !verdict.isPassed);
  return (red.find(({ verdict }) => verdict.isDisputable !== true) ?? red[0])?.verdict;
}

/** A short text of all check results, to detect a change between two iterations. */
export function checkResults(facts: IterationFacts): string {
  return Object.values(facts.verdicts)
    .flat()
    .map((verdict) => `${verdict.name}=${verdict.exitCode}`)
    .join("\n");
}

function isClaimStanding(state: RunState): boolean {
  const report = state.facts.report;
  // DONE counts after a failed turn too (S3-09); the rule on failed turns is about tags.
  const isVoid = report === null || (isFailedTurn(report) && state.policy.claimBy !== "done-file");
  return !isVoid && isAnyClaim(state) && !isUnmovedClaim(state);
}

/** A role that rejects the work has not passed it, whatever else it says. */
function isRejected({ facts, policy }: RunState): boolean {
  return policy.canReject && facts.report !== null && facts.report.claims.rejected !== null;
}

function ofEveryTurn({ policy }: RunState): Gate[] {
  return policy.gates.filter(({ when }) => when === "every-turn");
}

function onClaim({ policy }: RunState, isBeforeDelivery: boolean): Gate[] {
  return policy.gates.filter((gate) => gate.when === "on-claim" && gate.isBeforeDelivery === isBeforeDelivery);
}

function isUnasked({ facts }: RunState): (gate: Gate) => boolean {
  return ({ id }) => facts.verdicts[id] === undefined;
}

/** A gate without a verdict is not green. */
function isGreen({ facts }: RunState): (gate: Gate) => boolean {
  return ({ id }) => {
    const verdicts = facts.verdicts[id] ?? [];
    return verdicts.length > 0 && verdicts.every(({ isPassed }) => isPassed);
  };
}

function isGreenOrDisputable({ facts }: RunState): (gate: Gate) => boolean {
  return ({ id }) => {
    const verdicts = facts.verdicts[id] ?? [];
    return verdicts.length > 0 && verdicts.every(({ isPassed, isDisputable }) => isPassed || isDisputable === true);
  };
}

const blockedHead = "Blocked: ";
const questionHead = "Needs a decision: ";

/** Whether a run waits for an answer of a person, by the sentence of its outcome. */
export function isQuestion(reason: string): boolean {
  return reason.startsWith(blockedHead) || reason.startsWith(questionHead);
}
