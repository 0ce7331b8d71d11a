import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { unknownCostWarning } from "../../core/settings/run/unknown-cost.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import { roleAgent } from "../../core/work/role-run.ts";
import { priceFinder, tellsTokens } from "../../shell/agents/price-finder.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import type { Machine } from "../../shell/machine.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";

/** What a run is prepared with, before there is a store. */
export type Program = Pick<Machine, "disk" | "env" | "agents" | "processes">;

/** Where settings are loaded from; `given` wins over every file. `say` gets what a person should know of them. */
export type SettingsSource = {
  projectDir: string;
  given: SettingsLayer | null;
  onLayer?: (name: string) => void;
  say: (line: string) => void;
};

/** The settings of a new run; their warnings are said. Rejects with a `RalphError` that names all that is wrong. */
export async function loadRunSettings(
  { disk, env }: Program,
  { projectDir, given, onLayer = () => {}, say }: SettingsSource,
): Promise<LoadedSettings> {
  // The schema library is large, and only a new run has settings to check.
  const { loadSettings } = await import("../../shell/settings/load-settings.ts");
  const loaded = await loadSettings({ disk, env, projectDir, onLayer }, given);
  for (const warning of loaded.warnings) say(warning);
  return loaded;
}

/** What a person should know of the costs before the start, for every agent. Throws for a budget that cannot be kept. */
export function costWarnings({ agents }: Pick<Program, "agents">, run: Pick<FrozenRun, "settings" | "work">): string[] {
  const { settings, work } = run;
  const used = work === undefined ? [settings.agent] : work.roles.map((role) => roleAgent(settings, role));
  const warnings = used.map((agent) => costWarning(agents, { ...settings, agent }));
  return [...new Set(warnings.filter((warning) => warning !== null))];
}

function costWarning(agents: Program["agents"], settings: Settings): string | null {
  const { command } = settings.agent;
  if (command === null) return null;
  const adapter = chooseAdapter(command, agents);
  const { argv: flags } = splitFlags(settings.agent.flags);
  const price = priceFinder({ adapter, adapters: agents.known, flags, settings });
  return unknownCostWarning(settings, {
    name: command,
    tellsTokens: tellsTokens(adapter, flags),
    tellsCost: adapter.reportsCost || price(null) !== null,
  });
}
