import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { TurnRole } from "../../core/contract/assignment.ts";
import { agentOfRole } from "../../core/prd/list-run.ts";
import { splitFlags } from "../../core/settings/split-flags.ts";
import { chooseAdapter } from "../agents/registry.ts";
import type { Machine } from "../machine.ts";
import { guardOf } from "../prd/folder/guard-of.ts";
import type { RunContext } from "../run-context.ts";

/** A program with the adapter that speaks for it, and its flags as argv items. */
export type ChosenAgent = Pick<RunContext, "adapter" | "command" | "flags" | "agentEnv"> & {
  model: string | null;
  /** Whether a guard looks at its commands before they run. */
  isGuarded: boolean;
};

/**
 * The agent of a run, or of a role in it: reviews may have an agent of their own. On a task list nobody is there to be
 * asked for a permission, so the agent gets its flag for that, and only there (CB-12).
 */
export function agentOf(
  { agents, env }: Pick<Machine, "agents" | "env">,
  { settings, supervised, prd }: Pick<FrozenRun, "settings" | "supervised" | "prd">,
  role: TurnRole | null = null,
): ChosenAgent {
  const own = agentOfRole(role, prd?.reviewer);
  const command = own?.command ?? settings.agent.command;
  if (command === null)
    throw new RalphError(
      "settings",
      "No agent is configured: agent.command is missing.",
      'Run `ralph init`, or write {"agent": {"command": "claude"}} into .ralph/settings.json.',
    );
  const adapter = chooseAdapter(command, agents);
  const given = supervised?.flags ?? splitFlags(own?.flags ?? settings.agent.flags).argv;
  const model = own?.model ?? settings.agent.model;
  if (prd === undefined) return { adapter, command, flags: given, model, agentEnv: {}, isGuarded: false };
  const guard = guardOf(adapter, { flags: given, env });
  const flags = [...given, ...(adapter.unattendedFlags?.(given) ?? []), ...guard.flags];
  return { adapter, command, flags, model, agentEnv: guard.env, isGuarded: guard.isActive };
}
