import { countReason, equalReasonsMax, isGivenUp, isHostTired } from "../../policies/equal-reasons.ts";

/** How often a session's stops were blocked. Lost or false counts do no harm: they only decide when we give way. */
export type StopCounts = {
  /** Blocks in a row without a tool call between them. */
  blocks: number;
  /** The last reason, shortened, and how often in a row it was given. */
  reason: string;
  equalReasons: number;
  /** A continuation that was counted but not given, because the host would not have taken it. */
  isUndelivered: boolean;
};

/**
 * What a stop hook answers: it blocks the stop with a text for the agent, or tells the person something. `line`: the text in one
 * line, for a host that shows it to the person.
 */
export type StopAnswer = { block?: string; line?: string; notice?: string };

/** A session whose stops were never blocked. */
export const noStops: StopCounts = { blocks: 0, reason: "", equalReasons: 0, isUndelivered: false };

/** A refusal with its reason. `isRow`: the agent was sent back before and did nothing since. */
export type Refused = { reason: string; isRow: boolean };

/** The counts after a block for this reason. */
export function countBlock(before: StopCounts, { reason, isRow }: Refused): StopCounts {
  const counted = countReason({ reason: before.reason, times: before.equalReasons }, reason);
  const blocks = isRow ? before.blocks + 1 : 1;
  return { blocks, reason: counted.reason, equalReasons: counted.times, isUndelivered: false };
}

/** Counts a refused stop. `isAllowed`: the reason was given as often as it may be, so the stop is allowed all the same. */
export function countRefusal(
  before: StopCounts,
  refused: Refused,
  timesMax = equalReasonsMax,
): { isAllowed: boolean; counts: StopCounts } {
  const counts = countBlock(before, refused);
  return { isAllowed: isGivenUp({ reason: counts.reason, times: counts.equalReasons }, timesMax), counts };
}

/** A prompt of a loop for an agent that stopped, and what its host would do with one more block. */
export type Sending = {
  prompt: string;
  line: string;
  /** This stop follows one that was blocked, and the agent used a tool in between. */
  isContinued: boolean;
  hasUsedTools: boolean;
  blocksMax: number | null;
  blocksRemedy: string;
};

/**
 * Sends the agent back with the prompt of its loop. A host that ends the turn all the same is not asked: the person hears
 * why the loop pauses.
 */
export function sendBack(
  before: StopCounts,
  { prompt, line, isContinued, hasUsedTools, blocksMax, blocksRemedy }: Sending,
): { answer: StopAnswer; counts: StopCounts } {
  const isRow = isContinued && !hasUsedTools;
  if (!isHostTired(before.blocks, { isRow, blocksMax }))
    return { answer: { block: prompt, line }, counts: countBlock(before, { reason: prompt, isRow }) };
  const why = `the host ends a turn after ${blocksMax} blocked stops in a row without a tool call`;
  const notice = `Ralph loop paused: ${why}. Type anything to continue; to change it, ${blocksRemedy}.`;
  return { answer: { notice }, counts: { ...before, blocks: 0, isUndelivered: true } };
}

/**
 * What a stop of a run on a task list comes to: the reason blocks it, once or until it was given as often as it may be; then
 * the run deals with what is left. Null: there is nothing to count any more.
 */
export function judgeListed(
  before: StopCounts,
  reason: { text: string; isOnce: boolean } | null,
  isRow: boolean,
): { answer: StopAnswer; counts: StopCounts | null } {
  if (reason === null) return { answer: {}, counts: null };
  const refused = { reason: reason.text, isRow };
  const { isAllowed, counts } = countRefusal(before, refused, reason.isOnce ? 1 : equalReasonsMax);
  if (!isAllowed) return { answer: { block: reason.text }, counts };
  const notice = `The stop is allowed after ${before.equalReasons} equal reasons: ${reason.text}`;
  return { answer: { notice }, counts: null };
}
