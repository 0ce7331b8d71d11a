import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/frozen-run.ts";
import { splitFlags } from "../../core/settings/split-flags.ts";
import { chooseAdapter } from "../agents/registry.ts";
import type { Machine } from "../machine.ts";
import type { RunContext } from "./run-context.ts";

/** The agent of a run: its program, the adapter that speaks for it, and its flags as argv items. */
export function agentOf(
  { agents }: Pick<Machine, "agents">,
  { settings, supervised }: Pick<FrozenRun, "settings" | "supervised">,
): Pick<RunContext, "adapter" | "command" | "flags"> {
  const { command, flags } = settings.agent;
  if (command === null)
    throw new RalphError(
      "settings",
      "No agent is configured: agent.command is missing.",
      'Run `ralph init`, or write {"agent": {"command": "claude"}} into .ralph/settings.json.',
    );
  return { adapter: chooseAdapter(command, agents), command, flags: supervised?.flags ?? splitFlags(flags).argv };
}
