import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { unknownCostWarning } from "../../core/settings/run/unknown-cost.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import type { Machine } from "../../shell/machine.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";

/** What a run is prepared with, before there is a store. */
export type Program = Pick<Machine, "disk" | "env" | "agents" | "processes">;

/** Where settings are loaded from; `given` wins over every file. */
export type SettingsSource = { projectDir: string; given: SettingsLayer | null; onLayer?: (name: string) => void };

/** The settings of a new run. Rejects with a `RalphError` that names all that is wrong. */
export async function loadRunSettings(
  { disk, env }: Program,
  { projectDir, given, onLayer = () => {} }: SettingsSource,
): Promise<LoadedSettings> {
  // The schema library is large, and only a new run has settings to check.
  const { loadSettings } = await import("../../shell/settings/load-settings.ts");
  return loadSettings({ disk, env, projectDir, onLayer }, given);
}

/** What a person should know of the costs before the start. Throws when nothing else would end the run. */
export function costWarnings({ agents }: Pick<Program, "agents">, settings: Settings): string[] {
  const { command } = settings.agent;
  const warning = command === null ? null : unknownCostWarning(settings, chooseAdapter(command, agents));
  return warning === null ? [] : [warning];
}
