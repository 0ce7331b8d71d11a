import type { Gate, Json } from "../contract/gate.ts";
import type { Attempt } from "./attempt.ts";
import type { Feedback } from "./feedback.ts";
import type { Assignment } from "../contract/assignment.ts";
import type { Outcome } from "./outcome.ts";

/** Limits the process port keeps on its monotonic clock; null means none. */
export type TurnLimits = { idleMs: number | null; wallMs: number | null; resultGraceMs: number };

/** When a delivery comes: after each iteration with green gates, or once, when nothing else stands before completion. */
export type DeliveryOf = "iteration" | "completion";

/** Why a wait between two operations is made. */
export type TimerReason = "back-off" | "usage-limit" | "restart-delay" | "continuation-delay" | "recovery";

/**
 * Orders to the driver, as data. Each has an id; its answer repeats it. `begin-turn`, `run-gate`, `deliver` and
 * `set-timer` are answered exactly once; `cut` and `end-run` are not answered.
 *
 * @example
 * ```ts
 * import { type Effect } from "ralph";
 *
 * const describe = (effect: Effect): string => (effect.type === "end-run" ? effect.outcome.reason : effect.type);
 * console.log(describe({ type: "end-run", id: 7, outcome: { name: "cancelled", reason: "You cancelled it." } }));
 * ```
 */
export type Effect =
  | {
      type: "begin-turn";
      id: number;
      iteration: number;
      iterationsMax: number | null;
      feedback: Feedback[];
      /** Why the claim of the iteration before was refused: its DONE file must not count again. */
      refusal: string | null;
      /** How the newest claims fared. */
      attempts: Attempt[];
      /** The role and the task of this turn, in a run with a task list. */
      assignment: Assignment | null;
      /** The agent's session to continue, or null for a fresh context. */
      sessionId: string | null;
      limits: TurnLimits;
      /**
       * Starts no agent. The turns are used up and the DONE file gets a last look, or a task list has nothing left to do; or
       * a host's turn, that was taken for ended, is looked at again.
       */
      isRecheck: boolean;
    }
  | { type: "cut"; id: number; effectId: number }
  | {
      type: "run-gate";
      id: number;
      gate: Gate;
      iteration: number;
      /** The tree this iteration's gates speak for; null where nobody can tell. */
      candidate: string | null;
      /** This iteration claims completion. */
      hasClaim: boolean;
      /** The turn did not fail, and every gate before this one is green: only then may the gate approve anything. */
      isGreenSoFar: boolean;
      /** The turn is left before every gate before this one was asked: nobody knows whether they are green. */
      isUnproven?: true;
      /** The gate's own memory, as its last answer left it. */
      slot: Json;
      /** The gate's limit, or what is left of the time budget when that is less. */
      wallMs: number | null;
    }
  | {
      type: "deliver";
      id: number;
      iteration: number;
      of: DeliveryOf;
      /** What the gates saw; a completion delivers nothing else. */
      candidate: string | null;
    }
  | { type: "set-timer"; id: number; reason: TimerReason; durationMs: number; dueAt: number }
  | { type: "end-run"; id: number; outcome: Outcome };

/** An effect that is answered, and therefore can be in flight. */
export type PendingEffect = Exclude<Effect, { type: "cut" | "end-run" }>;
