import { RalphError } from "../../core/ralph-error.ts";
import { withUnits } from "../../core/settings/with-units.ts";
import { type LoadedSettings, loadSettings } from "./load-settings.ts";
import type { SettingsTexts } from "../sessions/frozen-checks.ts";
import type { SettingsContext } from "./settings-files.ts";

/** The settings of a project with the files that were frozen in place of those that are there now. Throws when they do not hold. */
export async function loadFrozenSettings(
  context: SettingsContext,
  frozen: SettingsTexts | null,
): Promise<LoadedSettings> {
  const texts = Object.entries(frozen ?? {});
  try {
    return await loadWith(context, texts);
  } catch (error) {
    if (!(error instanceof RalphError) || frozen === null) throw error;
    // An earlier version froze them, which took durations without a unit. Lines are named as they are in the file.
    return loadWith(
      context,
      texts.map(([path, text]) => [path, text === null ? null : textWithUnits(text)]),
    ).catch(() => Promise.reject(error));
  }
}

function loadWith(
  { disk, projectDir, env }: SettingsContext,
  texts: readonly (readonly [string, string | null])[],
): Promise<LoadedSettings> {
  const held = new Map(texts);
  const readText: typeof disk.readText = async (path, bytesMax) =>
    held.has(path) ? (held.get(path) ?? null) : disk.readText(path, bytesMax);
  return loadSettings({ disk: { readText }, projectDir, env }, null);
}

/** What is not JSON is named as it is. */
function textWithUnits(text: string): string {
  try {
    return JSON.stringify(withUnits(JSON.parse(text)), null, 2);
  } catch {
    return text;
  }
}
