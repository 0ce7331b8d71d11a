import { join } from "node:path";
import { readTaskFile, type TaskFileReading } from "../../core/prd/list/read-task-file.ts";
import { isScaffoldTaskFile } from "../../core/prd/list/scaffold.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { agentEnvironment } from "../../shell/agents/environment.ts";
import { terminalArgv } from "../../shell/agents/terminal-argv.ts";
import { agentOf } from "../../shell/drivers/agent-of.ts";
import { readTemplate } from "../../shell/prd/folder/templates.ts";
import type { Planning } from "./derive-list.ts";

/** A list after a conversation about it. `isUntouched`: it is still the template. */
export type TalkedList = TaskFileReading & { isUntouched: boolean };

/** Lets the person and the agent of the settings plan on this terminal, then reads the list (S4-86). */
export async function talkList({ program, place, settings }: Planning): Promise<TalkedList> {
  const { projectDir, folder } = place;
  const { adapter, command } = agentOf(program, { settings });
  const argv = terminalArgv({ adapter, command, model: settings.agent.model, prompt: planningText(folder.name) });
  if (argv === null)
    throw new RalphError(
      "agent",
      `${command} takes no prompt when it is started on a terminal.`,
      "Choose another with --agent, or write prd.md yourself and: ralph prd plan --derive",
    );
  const { keepEnv } = settings.agent;
  const env = agentEnvironment({ base: program.env, adapter, adapters: program.agents.known, keepEnv, extra: {} });
  const end = await program.processes.runOnTerminal({ purpose: "agent", argv, cwd: projectDir, env });
  if (!end.isStarted || end.exitCode === null)
    throw new RalphError("agent", `${command} could not be started.`, "Look with: ralph doctor");
  const text = (await program.disk.readText(join(folder.path, "tasks.json"))) ?? "";
  return { ...readTaskFile(text), isUntouched: isScaffoldTaskFile(text) };
}

/** The skill without its head, which only hosts read. */
function planningText(ralphDir: string): string {
  return readTemplate("plan.md")
    .replace(/^---\n[^]*?\n---\n/, "")
    .replaceAll("{{RALPH_DIR}}", ralphDir)
    .trim();
}
