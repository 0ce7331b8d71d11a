import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { turnMode } from "../../core/settings/run/turn-mode.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import type { Machine } from "../../shell/machine.ts";

/** How a turn starts its agent. `split`: the flags that were split at their spaces. */
export type TurnCommand = { argv: readonly string[]; split: readonly string[] };

/** The command line of a turn, with words for what is not known yet; null: nobody chose an agent. */
export function turnCommand({ agents }: Pick<Machine, "agents">, frozen: FrozenRun): TurnCommand | null {
  const { agent } = frozen.settings;
  if (agent.command === null) return null;
  const { argv: flags, split } = splitFlags(agent.flags);
  const { argv } = chooseAdapter(agent.command, agents).invocation({
    command: agent.command,
    flags,
    model: agent.model,
    prompt: "PROMPT",
    mode: turnMode(frozen),
    isTurn: true,
    sessionId: null,
    promptVia: agent.promptVia,
    answerFile: "ANSWER",
  });
  return { argv, split };
}
