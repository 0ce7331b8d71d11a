/**
 * How a run ended. `completed` and `cancelled` are final; the others can be resumed.
 *
 * @example
 * ```ts
 * import { type OutcomeName } from "ralph";
 *
 * const needsPerson: OutcomeName[] = ["waiting", "failed"];
 * console.log(needsPerson.includes("waiting"));
 * ```
 */
export type OutcomeName = "completed" | "exhausted" | "failed" | "waiting" | "stopped" | "cancelled" | "interrupted";

/**
 * A named outcome with its one sentence, the same everywhere it is shown.
 *
 * @example
 * ```ts
 * import { type Outcome } from "ralph";
 *
 * const isProven = ({ name, isVerified }: Outcome): boolean => name === "completed" && isVerified !== false;
 * console.log(isProven({ name: "completed", reason: "The agent says so.", isVerified: false })); // false
 * ```
 */
export type Outcome = {
  name: OutcomeName;
  reason: string;
  /** Only of `completed`: whether evidence was looked at, or only the agent's word. */
  isVerified?: boolean;
};

/** How a gate may end a run, where no further turn helps: only evidence completes one, and only people cancel or interrupt it. */
export type GateStop = { name: (typeof gateStopNames)[number]; reason: string };

export const gateStopNames = ["failed", "waiting", "stopped"] as const;

/** The name as people read it. */
export function outcomeWord({ name, isVerified }: Pick<Outcome, "name" | "isVerified">): string {
  return isVerified === false ? `${name}, unverified` : name;
}

/** The outcome and its reason as one sentence; a reason that says itself that the run waits needs no other word. */
export function outcomeSentence(outcome: Outcome): string {
  return outcome.reason.startsWith("waits: ") ? outcome.reason : `${outcomeWord(outcome)}: ${outcome.reason}`;
}

/**
 * Exit codes of all commands.
 *
 * @example
 * ```ts
 * import { exitCodes, type Outcome } from "ralph";
 *
 * const outcome: Outcome = { name: "completed", reason: "Every check is green." };
 * process.exitCode = exitCodes[outcome.name]; // 0
 * ```
 */
export const exitCodes: Record<OutcomeName, number> = {
  completed: 0,
  exhausted: 1,
  failed: 2,
  waiting: 3,
  stopped: 4,
  cancelled: 5,
  interrupted: 130,
};

/** A final run hears nothing any more, not even a resume. */
export function isFinal(outcome: Outcome): boolean {
  return outcome.name === "completed" || outcome.name === "cancelled";
}
