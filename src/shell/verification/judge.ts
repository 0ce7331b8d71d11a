import { type Spend, unknownSpend } from "../../core/agents/spend.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import { type AskedAgent, type AskContext, questionAgent } from "../agents/ask-agent.ts";
import { type AdapterList, chooseAdapter } from "../agents/registry.ts";

/** Asks a judge one question in a fresh context, never in the session of who did the work. */
export type Judge = (question: {
  prompt: string;
  model: string | null;
  turnMarker: string;
  wallMs: number;
  signal: AbortSignal;
}) => Promise<AskedAgent>;

/**
 * The judge of the settings: an agent of its own, else the run's. Text mode tells no price, so its spend is unknown. `sealed`: it obeys
 * nothing of the project.
 */
export function createJudge(
  context: AskContext,
  agents: AdapterList,
  onSpend: (spend: Spend) => void,
  manner: "sealed" | "plain" = "plain",
): Judge {
  const chosen = judgePlace(context, agents);
  const added = manner === "sealed" ? (chosen.adapter.sealedFlags?.(chosen.flags) ?? []) : [];
  const place = { ...chosen, flags: [...added, ...chosen.flags] };
  return (question) => {
    onSpend(unknownSpend);
    return questionAgent(place, { ...question, purpose: "judge" });
  };
}

/** What asking a judge begins with: the run's own agent, and the run's settings. */
export type JudgeContext = Pick<AskContext, "frozen" | "adapter" | "command" | "flags">;

/** The same place with the judge of the settings in it. */
export function judgePlace<Place extends JudgeContext>(place: Place, agents: AdapterList): Place & JudgeContext {
  const { settings, projectDir } = place.frozen;
  const { agent: command, flags, model } = settings.verification.judge;
  const isOwn = command !== null;
  const agent = isOwn
    ? { ...settings.agent, model, promptVia: null }
    : { ...settings.agent, model: model ?? settings.agent.model };
  const frozen = { projectDir, settings: { ...settings, agent } };
  if (!isOwn) return { ...place, frozen };
  return { ...place, frozen, adapter: chooseAdapter(command, agents), command, flags: splitFlags(flags).argv };
}
