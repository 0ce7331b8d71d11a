/** How a run ended. `completed` and `cancelled` are final; the others can be resumed. */
export type OutcomeName = "completed" | "exhausted" | "failed" | "waiting" | "stopped" | "cancelled" | "interrupted";

/** A named outcome with its one sentence, the same everywhere it is shown. */
export type Outcome = {
  name: OutcomeName;
  reason: string;
  /** Only of `completed`: whether evidence was looked at, or only the agent's word. */
  isVerified?: boolean;
};

/** The name as people read it. */
export function outcomeWord({ name, isVerified }: Pick<Outcome, "name" | "isVerified">): string {
  return isVerified === false ? `${name}, unverified` : name;
}

/** Exit codes of all commands. */
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
