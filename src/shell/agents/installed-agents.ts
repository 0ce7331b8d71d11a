import { findProgram } from "../lib/find-program.ts";
import type { AgentAdapter } from "./adapter.ts";

/** The commands of known agents that are on the path, in the order of the adapters. */
export async function installedAgents(
  known: readonly AgentAdapter[],
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const commands = known.flatMap((adapter) => adapter.commands);
  const found = await Promise.all(commands.map((command) => findProgram(command, { env, directory: "/", platform })));
  return commands.filter((_, index) => found[index] !== null);
}
