import { sealSlot } from "../sealed/judge-dispute.ts";
import type { Verdict } from "../verdict.ts";
import type { Verification, VerifiedCheck } from "./verification.ts";

/** The answers of all gates. */
export type AnsweredGates = {
  /** The gates that had to answer, by id. */
  asked: readonly string[];
  checks: readonly VerifiedCheck[];
  /** A gate found that the candidate and the base disagree about tests. */
  isDisputed: boolean;
};

/**
 * Verified is a candidate for which every gate gave a green verdict, one of them by more than somebody's word. A gate without any
 * verdict is not green.
 */
export function judgeVerification({
  asked,
  checks,
  isDisputed,
}: AnsweredGates): Pick<Verification, "verdict" | "reasons"> {
  const red = checks.filter(({ isPassed }) => !isPassed).map(({ name, reason }) => `${name}: ${reason}`);
  const answered = new Set(checks.map(({ gate }) => gate));
  const silent = asked.filter((gate) => !answered.has(gate)).map((gate) => `${gate}: It gave no verdict.`);
  const isEmpty = checks.every(({ isUnverified }) => isUnverified);
  const reasons = [...red, ...silent, ...(isEmpty ? ["No check looked at the work."] : [])];
  if (isDisputed) return { verdict: "disputed", reasons };
  return { verdict: reasons.length === 0 ? "verified" : "refused", reasons };
}

/** What a gate answered: its verdicts, and what it remembers. */
export type GateMemory = { verdicts: readonly Pick<Verdict, "isPassed" | "isDisputable">[]; slot: unknown };

/** Whether a person has to decide: the gate of the seal found a dispute, and all else that is red is a part of it. */
export function isInDispute(answers: readonly GateMemory[]): boolean {
  const hasDispute = ({ slot }: GateMemory): boolean => sealSlot(slot)?.dispute !== undefined;
  const others = answers.filter((answer) => !hasDispute(answer)).flatMap(({ verdicts }) => verdicts);
  return answers.some(hasDispute) && others.every(({ isPassed, isDisputable }) => isPassed || isDisputable === true);
}
