import { type LoadedSettings, loadSettings } from "./load-settings.ts";
import type { SettingsTexts } from "../sessions/frozen-checks.ts";
import type { SettingsContext } from "./settings-files.ts";

/** The settings of a project with the files that were frozen in place of those that are there now. Throws when they do not hold. */
export function loadFrozenSettings(
  { disk, projectDir, env }: SettingsContext,
  frozen: SettingsTexts | null,
): Promise<LoadedSettings> {
  const texts = new Map(Object.entries(frozen ?? {}));
  const readText: typeof disk.readText = async (path, bytesMax) =>
    texts.has(path) ? (texts.get(path) ?? null) : disk.readText(path, bytesMax);
  return loadSettings({ disk: { readText }, projectDir, env }, null);
}
