import type { RunState } from "../run/state.ts";
import { verdictsOf } from "./gates.ts";

/** How often in a row a stop was refused for one reason, told by its beginning and its length. */
export type ReasonCount = { reason: string; times: number };

/** Refusals for one reason: an agent that cannot repair it would be blocked forever (CW-4R). */
export const equalReasonsMax = 5;

/** Refusals in a row whatever their reasons, where the host has no limit of its own: reasons that differ each time must not cost money forever. */
const refusalsMax = 20;

/** Whether an agent that was sent back so often, since a person last spoke, is let go. */
export function isSentTooOften(sent: number): boolean {
  return sent >= refusalsMax;
}

/**
 * Whether the host would end the turn all the same: `blocks` stops in a row were refused without a tool call between
 * them. `blocksMax` null: the host has no such limit.
 */
export function isHostTired(
  blocks: number,
  { isRow, blocksMax }: { isRow: boolean; blocksMax: number | null },
): boolean {
  return blocksMax !== null && isRow && blocks >= blocksMax;
}

/** A reason as it is remembered. */
const reasonCharsMax = 4000;

/** The count after a stop was refused for this reason. */
export function countReason(before: ReasonCount, text: string): ReasonCount {
  const reason = rememberedReason(text);
  return { reason, times: before.reason === reason ? before.times + 1 : 1 };
}

/** Whether the stop is allowed all the same: the reason was given as often as it may be. */
export function isGivenUp({ times }: ReasonCount, timesMax = equalReasonsMax): boolean {
  return times > timesMax;
}

/** Every red verdict of a stop, one line each. */
export function stopReasons(state: Pick<RunState, "facts" | "policy">): string {
  const red = verdictsOf(state).filter(({ verdict }) => !verdict.isPassed);
  return red.map(({ verdict: { name, reason } }) => `- ${name}: ${reason}`).join("\n");
}

/** The count that a run keeps of its refused stops, one more for the stop in progress. */
export function stopsRefused(state: RunState): Pick<RunState, "lastCheckResults" | "unchangedInRow"> {
  const before = { reason: state.lastCheckResults, times: state.unchangedInRow };
  const { reason, times } = countReason(before, stopReasons(state));
  return { lastCheckResults: reason, unchangedInRow: times };
}

function rememberedReason(text: string): string {
  return `${text.length} ${text.slice(0, reasonCharsMax)}`;
}
