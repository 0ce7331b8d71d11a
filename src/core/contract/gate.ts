import type { Assignment } from "./assignment.ts";

/** When a gate is asked: for words alone before the first turn, after every judged turn, or on a claim. */
export type GateWhen = "before-first-turn" | "every-turn" | "on-claim";

/**
 * One condition of done, as data. The engine walks gates in their order and knows them by `when`, `isBeforeDelivery` and
 * `isAlways` only; what a kind does is known to the file that performs it.
 */
export type Gate = {
  /** Unique within a run. */
  id: string;
  kind: string;
  /** What people call it: the command, the criterion's description. */
  name: string;
  when: GateWhen;
  /** A red verdict holds the delivery back. Of gates on a claim only: those of every turn always come before it. */
  isBeforeDelivery: boolean;
  /** Also asked after a failed or cut turn, and before any way out of a turn. Only for `every-turn`. */
  isAlways: boolean;
  /** The file and key, flag, task or version it comes from. */
  origin: string;
  limits: GateLimits;
  /** How a red verdict reaches the next prompt: by its output, by its reason, or only by the notes of its word. */
  tells: "output" | "reason" | "notes";
  /** The run's own claim is all it asks for: it is green with every claim, and never a check. */
  isClaimOnly?: true;
};

/** Limits the performer keeps; null means none. */
export type GateLimits = { wallMs: number | null };

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What a gate says of the run beside its verdicts. A run whose work is a list hears from its gate whether the list
 * claims completion, and who works on what next.
 */
export type GateWord = {
  isClaim: boolean;
  /** False: no further turn has anything to do. */
  isWorkLeft: boolean;
  /** The role and the task of the next turn. */
  assignment: Assignment | null;
  /** Sentences for the next prompt. */
  notes: string[];
  /** For the closing sentence. */
  remark: string | null;
};
