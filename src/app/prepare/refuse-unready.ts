import { functionCommand } from "../functions/own-functions.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { TurnRole } from "../../core/contract/assignment.ts";
import { agentOf, type ChosenAgent } from "../../shell/drivers/agent-of.ts";
import { findProgram } from "../../shell/lib/find-program.ts";
import type { Machine } from "../../shell/machine.ts";

/** What the command line says about safety. */
export type Safety = { isSandboxed: boolean; isUnsafe: boolean };

/** Names what is missing before the first iteration (S4-22): the agents' programs, a sandbox that was asked for, a guard. */
export async function refuseUnready(
  machine: Pick<Machine, "agents" | "env">,
  frozen: FrozenRun,
  { isSandboxed, isUnsafe }: Safety,
): Promise<void> {
  if (isSandboxed)
    throw new RalphError(
      "usage",
      "--sandbox: this version of ralph has no sandbox.",
      "Run without it: the agent then works directly on this machine, best in a container or a virtual machine of its own.",
    );
  const isReviewed = frozen.prd?.review.isReviewSkipped !== true;
  const roles: TurnRole[] = isReviewed ? ["implement", "review"] : ["implement"];
  for (const role of roles) {
    const agent = agentOf(machine, frozen, role);
    await requireProgram(machine, frozen, agent);
    if (!isUnsafe && !agent.isGuarded)
      throw new RalphError(
        "usage",
        `Nothing looks at what ${agent.command} runs: its commands are not guarded.`,
        "Start with --unsafe to accept that, best in a container or on a machine of its own.",
      );
  }
}

async function requireProgram({ env }: Pick<Machine, "env">, frozen: FrozenRun, agent: ChosenAgent): Promise<void> {
  const { argv } = agent.adapter.invocation({
    command: agent.command,
    flags: agent.flags,
    model: agent.model,
    prompt: "",
    mode: "stream",
    sessionId: null,
    promptVia: frozen.settings.agent.promptVia,
    answerFile: "",
  });
  if (argv[0] === functionCommand) return;
  if ((await findProgram(argv[0] ?? agent.command, { env, directory: frozen.projectDir })) !== null) return;
  throw new RalphError(
    "agent",
    `The agent program ${agent.command} was not found.`,
    "Install it, give its path as agent.command, or name another with --agent.",
  );
}
