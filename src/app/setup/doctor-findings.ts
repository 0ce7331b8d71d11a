import { problemLine } from "../../core/settings/settings-problems.ts";
import { findAgents } from "../../shell/doctor/find-agents.ts";
import { findDelivery } from "../../shell/doctor/find-delivery.ts";
import { findStore } from "../../shell/doctor/find-store.ts";
import { fine, type Finding } from "../../shell/doctor/finding.ts";
import type { Machine } from "../../shell/machine.ts";
import { reportSettings, type SettingsReport } from "../../shell/settings/load-settings.ts";
import { ownStateFolder, wireStore } from "../../shell/wire-store.ts";

/** Tools that only print their version need no long grace. */
const killGraceMs = 500;

/** Whether a run could work in a project: settings, agents, delivery, store. Starts no turn and uses no network. */
export async function projectFindings(
  program: Pick<Machine, "disk" | "env" | "agents" | "selfArgv" | "processes">,
  projectDir: string,
): Promise<Finding[]> {
  const place = { ...program, projectDir, killGraceMs };
  const report = await reportSettings({ disk: program.disk, env: program.env, projectDir }, null);
  const { settings } = report;
  const folder = ownStateFolder(program.env);
  const [agents, delivery, store] = await Promise.all([
    findAgents(place, settings?.agent ?? null),
    findDelivery(place, settings?.scm ?? null),
    findStore(folder, async () => (await wireStore({ folder })).store),
  ]);
  return [...settingsFindings(report), ...agents, ...delivery, store];
}

function settingsFindings({ problems, layers, warnings }: SettingsReport): Finding[] {
  const remedy = "Correct it; `ralph settings check` looks again.";
  const broken = problems.map((problem): Finding => ({
    name: "settings",
    state: "broken",
    text: problemLine(problem),
    remedy,
  }));
  const sources = layers.length === 0 ? "the defaults" : layers.map(({ source }) => source).join(", ");
  const warned = warnings.map((text): Finding => ({ name: "settings", state: "warn", text, remedy: "Unset it." }));
  return [...(broken.length === 0 ? [fine("settings", sources)] : broken), ...warned];
}
