import { environmentLayers, environmentWarnings } from "../../core/settings/environment-layers.ts";
import { withoutOtherAgent } from "../../core/settings/other-agent.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import { inspectSettings, settingsError, type SettingsProblem } from "../../core/settings/settings-problems.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { readEverySettingsFile, type SettingsContext } from "./settings-files.ts";

/** Settings with where they come from. */
export type LoadedSettings = {
  settings: Settings;
  /** Files, environment, command line, the later ones winning. */
  layers: SettingsLayer[];
  /** What the files held, by source; an edit during a run is found by it. */
  files: Record<string, unknown>;
  /** Variables that look like a setting and are none. */
  warnings: string[];
};

/** The same when they may be wrong. */
export type SettingsReport = Omit<LoadedSettings, "settings"> & {
  settings: Settings | null;
  problems: SettingsProblem[];
};

/** Loads every layer: defaults < user < project < local < environment < flags. Throws a `RalphError` naming all that is wrong. */
export async function loadSettings(context: SettingsContext, flags: SettingsLayer | null): Promise<LoadedSettings> {
  const { problems, settings, ...report } = await reportSettings(context, flags);
  if (settings === null) throw settingsError(problems);
  return { ...report, settings };
}

/** Reads and checks every layer and says everything that is wrong. */
export async function reportSettings(context: SettingsContext, flags: SettingsLayer | null): Promise<SettingsReport> {
  const { layers: files, unreadable } = await readEverySettingsFile(context);
  const environment = environmentLayers(context.env);
  for (const { source } of [...files, ...environment]) context.onLayer?.(source);
  const layers = withoutOtherAgent(withoutOtherAgent(files, environment), flags === null ? [] : [flags]);
  const inspected = inspectSettings(layers);
  const problems = [...unreadable.map((file) => ({ ...file, key: "" })), ...inspected.problems];
  return {
    settings: problems.length === 0 ? inspected.settings : null,
    problems,
    layers,
    files: Object.fromEntries(files.map(({ source, value }) => [source, value])),
    warnings: environmentWarnings(context.env),
  };
}
