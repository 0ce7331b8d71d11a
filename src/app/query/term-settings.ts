import type { Settings } from "../../core/settings/settings.ts";
import { createDisk } from "../../shell/lib/disk.ts";
import type { Records } from "../../shell/wire-store.ts";

/** The settings that the next work run would have. `problem`: they cannot be used, and the defaults stand for them. */
export type TermSettings = { settings: Settings; problem: string | null };

/** Reads them for views of tasks. A broken settings file must not hide the tasks. */
export async function termSettings({ env }: Pick<Records, "env">, projectDir: string): Promise<TermSettings> {
  // The schema library is large; only views of tasks need it here.
  const { reportSettings } = await import("../../shell/settings/load-settings.ts");
  const { parseSettings } = await import("../../core/settings/parse-settings.ts");
  const { settings, problems } = await reportSettings({ disk: createDisk(), env, projectDir }, null);
  if (settings !== null) return { settings, problem: null };
  const [first] = problems;
  const where = first === undefined ? "" : ` (${first.source}: ${first.sentence})`;
  return {
    settings: parseSettings([]),
    problem: `The settings are wrong${where}; methods and limits are the defaults.`,
  };
}
