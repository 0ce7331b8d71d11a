import { criteriaPath } from "../../contract/criteria-path.ts";
import { equalReasonsMax } from "../../policies/equal-reasons.ts";
import type { Verdict } from "../../verification/verdict.ts";
import type { NativeVerdict } from "./native-stops.ts";
import { countRefusal, type StopAnswer, type StopCounts } from "./stop-counts.ts";
import type { UnusableChecks } from "./unusable-checks.ts";

/** How every refusal begins: by it a host without stops of its own knows what it sent. */
export const refusalHeading = `The work is not verified (${criteriaPath}):`;

/** Said of a stop that met criteria which nothing but a promise could meet. */
const believedNotice = `NOT verified: ${criteriaPath} was met by the stop alone, no check looked at the work.`;

/** What the agent and the person hear of a judged stop of a session without a loop. */
export function nativeAnswer({ kind, reasons, red }: NativeVerdict, remark: string | null): StopAnswer {
  const remarks = remark === null ? [] : [remark];
  switch (kind) {
    case "given-up":
      return { notice: `NOT verified, after ${equalReasonsMax} equal reasons the stop is allowed:\n${reasons}` };
    case "refused":
      return { block: [refusalHeading, ...red.map(shown), ...remarks].join("\n\n") };
    case "unverified":
      return { notice: [believedNotice, ...remarks].join(" ") };
    case "verified":
      return { notice: [`Verified by ${criteriaPath}.`, ...remarks].join(" ") };
  }
}

/** Whether a stop is not judged now: work that is left running wakes the agent, and the stop after that is judged. */
export function isJudgedLater(pendingWork: readonly string[]): boolean {
  return pendingWork.length > 0;
}

/** A session that changed nothing, since it began or since its work was verified, has nothing to verify. */
export function isVerifiedState(state: string | null, kept: string | null): boolean {
  return state !== null && state === kept;
}

/** Whether nothing is left to ask of the tree at this stop: the next one on the same tree is not judged again. */
export function isMet({ kind }: NativeVerdict): boolean {
  return kind === "verified" || kind === "unverified";
}

/** The state of the tree that was verified. What somebody changed while the checks ran was not checked. */
export function verifiedState({ before, after }: { before: string | null; after: string | null }): string | null {
  return before === after ? before : null;
}

/**
 * Judges a stop whose session run cannot be stored, by the counts alone: inside a sandbox they lie in the temp folder, and
 * only decide when we give way. Null: there is nothing to count any more.
 */
export function judgeUnstored(
  verdicts: readonly Verdict[],
  { before, isRow }: { before: StopCounts; isRow: boolean },
): { verdict: NativeVerdict; counts: StopCounts | null } {
  const red = verdicts.filter(({ isPassed }) => !isPassed);
  const reasons = red.map(({ name, reason }) => `- ${name}: ${reason}`).join("\n");
  const hasEvidence = verdicts.some(({ isUnverified }) => isUnverified !== true);
  if (red.length === 0)
    return { verdict: { kind: hasEvidence ? "verified" : "unverified", reasons, red }, counts: null };
  const { isAllowed, counts } = countRefusal(before, { reason: reasons, isRow });
  if (isAllowed) return { verdict: { kind: "given-up", reasons, red }, counts: null };
  return { verdict: { kind: "refused", reasons, red }, counts };
}

/** Checks that cannot be used hold a stop back once, so that somebody hears of it; the next one passes and is named. */
export function judgeUnusable(
  { problem, remedy }: UnusableChecks,
  { before, isRow }: { before: StopCounts; isRow: boolean },
): { answer: StopAnswer; counts: StopCounts } {
  const { isAllowed, counts } = countRefusal(before, { reason: problem, isRow }, 1);
  if (isAllowed) return { answer: { notice: `${problem} This stop is NOT verified. ${remedy}` }, counts: before };
  const block = `The work cannot be verified: ${problem} ${remedy} Tell the user so.`;
  return { answer: { block }, counts };
}

function shown({ name, reason, output }: Verdict): string {
  const text = "text" in output ? output.text.trim() : "";
  return text === "" ? `- ${name}: ${reason}` : `- ${name}: ${reason}\n${text}`;
}
