import type { SettingsLayer } from "./settings-layer.ts";
import { inspectSettings, settingsError } from "./settings-problems.ts";
import type { Settings } from "./settings.ts";

/** Merges the layers, later ones winning, and checks them. Throws a `RalphError` naming file, line, setting and value. */
export function parseSettings(layers: readonly SettingsLayer[]): Settings {
  const { settings, problems } = inspectSettings(layers);
  if (settings === null) throw settingsError(problems);
  return settings;
}
