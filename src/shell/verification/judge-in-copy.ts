import type { Spend } from "../../core/agents/spend.ts";
import type { AskContext } from "../agents/ask-agent.ts";
import type { AdapterList } from "../agents/registry.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { SealedClaim } from "./verify-in-copy.ts";

/**
 * The judge of the settings, in a copy of what would be delivered that is gone afterwards. What agents obey is there as it was before
 * the first turn: notes, rules and hooks that the agent added do not speak to its judge.
 */
export function createSealedJudge(
  context: AskContext,
  agents: AdapterList,
  { seal, candidate, onSpend }: SealedClaim & { onSpend: (spend: Spend) => void },
): Judge {
  return async (question) => {
    const apart = await seal.openApart();
    try {
      return await apart.view({ candidate, variant: "A" }, (projectDir) => {
        const place = { ...context, frozen: { ...context.frozen, projectDir } };
        return createJudge(place, agents, onSpend, "sealed")(question);
      });
    } finally {
      apart.close();
    }
  };
}
