import type { Settings } from "../../core/settings/settings.ts";
import { findProgram } from "../../shell/lib/find-program.ts";
import type { Program } from "./load-run-settings.ts";

/**
 * Settings for a task list, with an agent also where nobody chose one: the first on the PATH that ralph can guard and hold at a
 * stop. Unchanged when there is none; whoever starts an agent says what is missing.
 */
export async function withAgentOnPath(
  { agents, env }: Pick<Program, "agents" | "env">,
  settings: Settings,
  projectDir: string,
): Promise<Settings> {
  if (settings.agent.command !== null) return settings;
  const commands = agents.known.filter((each) => "hookFlags" in each).flatMap((each) => each.commands);
  const found = await Promise.all(commands.map((command) => findProgram(command, { env, directory: projectDir })));
  const command = commands.find((_, index) => found[index] !== null);
  return command === undefined ? settings : { ...settings, agent: { ...settings.agent, command } };
}
