import type { Assignment } from "./assignment.ts";

/** When a gate runs: before the first turn (only for words), after every judged turn, or on a claim. */
export type GateWhen = "before-first-turn" | "every-turn" | "on-claim";

/**
 * One condition of done, as data. The engine walks gates in their order and knows them by `when`, `isBeforeDelivery` and
 * `isAlways` only; what a kind does is known to the file that performs it.
 */
export type Gate = {
  /** Unique within a run. */
  id: string;
  kind: string;
  /** Its name for people: the command or the criterion's description. */
  name: string;
  when: GateWhen;
  /** A red verdict prevents the delivery. Only for gates on a claim: gates of every turn always run before it. */
  isBeforeDelivery: boolean;
  /** Also runs after a failed or cut turn, and before any way out of a turn. Only for `every-turn`. */
  isAlways: boolean;
  /** The file and key, flag, task or version it comes from. */
  origin: string;
  limits: GateLimits;
  /** How a red verdict reaches the next prompt: by its output, by its reason, or only by the notes of its word. */
  tells: "output" | "reason" | "notes";
  /** The run's claim alone meets it: it is green with every claim and never counts as a check. */
  isClaimOnly?: true;
};

/** Limits the performer keeps; null means none. */
export type GateLimits = { wallMs: number | null };

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What a gate reports about the run besides verdicts. Only in a run whose claim comes from a gate, the task list, it says whether
 * completion is claimed and who works on what next; elsewhere its notes and its remark alone count.
 */
export type GateWord = {
  isClaim: boolean;
  /** False: no work is left for another turn. */
  isWorkLeft: boolean;
  /** The role and the task of the next turn. */
  assignment: Assignment | null;
  /** Sentences for the next prompt. */
  notes: string[];
  /** For the closing sentence. */
  remark: string | null;
};
