import type { Policy } from "../../run/policy.ts";
import type { Settings } from "../settings.ts";

/** What decides how an agent is asked. */
type AskedRun = { policy: Pick<Policy, "kind">; settings: Pick<Settings, "streamAgentOutput" | "budget" | "agent"> };

/**
 * How the agent prints what it does in a turn: as a stream of events, or only its text, which a run gets whose output nobody
 * follows. Tokens, cost and the session to continue are known from a stream alone, so whoever needs them keeps it.
 */
export function turnMode({ policy, settings }: AskedRun): "stream" | "text" {
  const { streamAgentOutput, budget, agent } = settings;
  const needsStream = budget.spend !== null || budget.tokens !== null || agent.context === "continue";
  return policy.kind !== "run" || streamAgentOutput || needsStream ? "stream" : "text";
}
