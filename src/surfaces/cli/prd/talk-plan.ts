import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { readTaskFile } from "../../../core/prd/list/read-task-file.ts";
import { isScaffoldTaskFile } from "../../../core/prd/list/scaffold.ts";
import { agentEnvironment } from "../../../shell/agents/environment.ts";
import { terminalArgv } from "../../../shell/agents/terminal-argv.ts";
import { agentOf } from "../../../shell/drivers/agent-of.ts";
import { readTemplate } from "../../../shell/prd/folder/templates.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import type { Planning } from "../../../app/prd/derive-list.ts";
import { showStories } from "./show-stories.ts";

/** The person and the agent plan on this terminal; afterwards the state of the list is printed (S4-86). */
export async function talkPlan({ program, place, settings }: Planning): Promise<number> {
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
  return judgeList(`${folder.name}/tasks.json`, (await program.disk.readText(join(folder.path, "tasks.json"))) ?? "");
}

/** The skill without its head, which only hosts read. */
function planningText(ralphDir: string): string {
  return readTemplate("plan.md")
    .replace(/^---\n[^]*?\n---\n/, "")
    .replaceAll("{{RALPH_DIR}}", ralphDir)
    .trim();
}

function judgeList(name: string, text: string): number {
  const { file, problems } = readTaskFile(text);
  if (file !== undefined) return showStories(file, `${name} is ready.`);
  const isUntouched = isScaffoldTaskFile(text);
  const sentence = isUntouched ? `${name} is still the template.` : `${name} cannot be run yet:`;
  const lines = isUntouched ? [] : problems.map((problem) => `  ${cleanLine(problem)}`);
  process.stderr.write(`${[sentence, ...lines, "Continue with: ralph prd plan"].join("\n")}\n`);
  return 2;
}
