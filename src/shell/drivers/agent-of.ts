import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { TurnRole } from "../../core/contract/assignment.ts";
import { agentOfRole } from "../../core/prd/list-run.ts";
import { programName } from "../../core/text/program-name.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import { chooseAdapter } from "../agents/registry.ts";
import type { Machine } from "../machine.ts";
import { guardOf, noGuard } from "../prd/folder/guard-of.ts";
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
  frozen: Pick<FrozenRun, "settings" | "supervised" | "prd">,
  role: TurnRole | null = null,
): ChosenAgent {
  const { settings, supervised, prd } = frozen;
  const own = agentOfRole(role, prd?.reviewer);
  const command = own?.command ?? settings.agent.command;
  if (command === null)
    throw new RalphError(
      "settings",
      "No agent is configured: agent.command is missing.",
      'Run `ralph init`, or write {"agent": {"command": "claude"}} into .ralph/settings.json.',
    );
  const adapter = chooseAdapter(command, agents);
  // Flags and models of another program mean nothing to this one.
  const isShared = programName(command) === programName(settings.agent.command ?? command);
  const given = supervised?.flags ?? splitFlags(own?.flags ?? (isShared ? settings.agent.flags : [])).argv;
  const model = own?.model ?? (isShared ? settings.agent.model : null);
  const isListed = prd !== undefined;
  const unattended = isListed ? (adapter.unattendedFlags?.(given) ?? []) : [];
  const guard = isGuardWanted(frozen) ? guardOf(adapter, { flags: given, env }, isListed ? "list" : "run") : noGuard;
  const flags = [...given, ...unattended, ...guard.flags];
  return { adapter, command, flags, model, agentEnv: guard.env, isGuarded: guard.isActive };
}

/** Whether every agent of a run is guarded; null for a supervised one, whose agents have keepers of their own. */
export function isRunGuarded(
  machine: Pick<Machine, "agents" | "env">,
  frozen: Pick<FrozenRun, "settings" | "supervised" | "prd">,
): boolean | null {
  if (frozen.supervised !== undefined) return null;
  const isReviewed = frozen.prd !== undefined && !frozen.prd.review.isReviewSkipped;
  const roles: (TurnRole | null)[] = isReviewed ? ["implement", "review"] : [null];
  return roles.every((role) => agentOf(machine, frozen, role).isGuarded);
}

/** A run of an older version has no such setting: on a task list it was guarded, elsewhere not, and stays so. */
function isGuardWanted({ settings, supervised, prd }: Pick<FrozenRun, "settings" | "supervised" | "prd">): boolean {
  if (supervised !== undefined) return false;
  return Object.hasOwn(settings.agent, "guard") ? settings.agent.guard : prd !== undefined;
}
