import { RalphError } from "../core/ralph-error.ts";
import type { SettingsLayer } from "../core/settings/parse-settings.ts";
import type { Disk } from "./ports.ts";

/** The settings of a project, the later ones winning (S1-05, S1-07). A missing file is no layer. */
export async function readSettingsFiles(disk: Disk, projectDir: string): Promise<SettingsLayer[]> {
  const layers = await Promise.all(settingsFiles.map((name) => readLayer(disk, projectDir, name)));
  return layers.filter((layer) => layer !== null);
}

const settingsFiles = [".ralph/settings.json", ".ralph/settings.local.json"];

async function readLayer(disk: Disk, projectDir: string, name: string): Promise<SettingsLayer | null> {
  const text = await disk.readText(`${projectDir}/${name}`);
  if (text === null) return null;
  try {
    return { source: name, value: JSON.parse(text) };
  } catch (cause) {
    const where = cause instanceof Error ? cause.message : String(cause);
    throw new RalphError("settings", `${name} is not valid JSON: ${where}.`, "Correct the file and run again.", cause);
  }
}
