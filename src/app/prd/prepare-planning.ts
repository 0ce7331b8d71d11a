import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import { loadSettings } from "../../shell/settings/load-settings.ts";
import { withAgentOnPath } from "../prepare/find-agent.ts";
import type { Planning } from "./derive-list.ts";
import type { ListContext } from "./find-list.ts";
import { refuseWhileActive } from "./refuse-while-active.ts";

/** Prepares the planning of a list: no run is active, and the agent of the settings is there. `given` wins over every file. */
export async function preparePlanning(
  program: Planning["program"],
  place: ListContext,
  given: SettingsLayer,
): Promise<Planning> {
  const { disk, env } = program;
  const { projectDir } = place;
  await refuseWhileActive(disk, projectDir);
  const loaded = await loadSettings({ disk, env, projectDir }, given);
  return { program, place, settings: await withAgentOnPath(program, loaded.settings, projectDir) };
}
