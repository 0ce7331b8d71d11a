import { isDeepStrictEqual } from "node:util";
import { readSettingsFiles } from "../settings/settings-files.ts";
import type { RunContext } from "../run-context.ts";

/** Reports once that the settings files differ from the frozen ones, which the run keeps. */
export function createSettingsWatch(context: RunContext): () => Promise<void> {
  let isNamed = false;
  return async () => {
    if (isNamed || (await isUnedited(context))) return;
    isNamed = true;
    await context.note("warning", "The settings were edited during the run; it keeps those it was started with.");
  };
}

async function isUnedited({ disk, env, frozen }: RunContext): Promise<boolean> {
  try {
    // A role in a work tree of its own goes by the settings of the project.
    const projectDir = frozen.task?.projectDir ?? frozen.projectDir;
    const layers = await readSettingsFiles({ disk, env, projectDir });
    const now = Object.fromEntries(layers.map(({ source, value }) => [source, value]));
    return isDeepStrictEqual(now, frozen.settingsFiles);
  } catch {
    // A file that can no longer be read was edited, too.
    return false;
  }
}
