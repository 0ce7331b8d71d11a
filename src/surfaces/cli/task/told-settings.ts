import { termSettings } from "../../../app/query/term-settings.ts";
import { cleanMessage } from "../../../core/text/clean-text.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { Records } from "../../../shell/wire-store.ts";

/** The settings that a view of tasks shows methods and limits of; wrong ones are named, once. */
export async function toldSettings(machine: Pick<Records, "env">, directory: string): Promise<Settings> {
  const { settings, problem } = await termSettings(machine, directory);
  if (problem !== null) process.stderr.write(`ralph: ${cleanMessage(problem)}\n`);
  return settings;
}
