import type { Policy } from "../../core/run/policy.ts";
import { type ExplainedSetting, explainSettings } from "../../core/settings/explain-settings.ts";
import { redacted } from "../../core/settings/redact.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import { valueAt } from "../../core/settings/settings-layer.ts";
import { loadSettings, reportSettings, type SettingsReport } from "../../shell/settings/load-settings.ts";
import type { Machine } from "../../shell/machine.ts";
import { contractOf } from "../prepare/plan-start.ts";
import { version } from "../prepare/version.ts";

type Files = Pick<Machine, "disk" | "env">;

/** The settings of a project, without secrets and each with its source, and what done means for a `ralph run` in it. */
export type ProjectSettings = { explained: ExplainedSetting[]; warnings: string[]; policy: Policy };

/** The effective settings of a project. Rejects with a `RalphError` that names all that is wrong. */
export async function projectSettings({ disk, env }: Files, projectDir: string): Promise<ProjectSettings> {
  const { layers, warnings, settings, files } = await loadSettings({ disk, env, projectDir }, null);
  const run = { version, projectDir, prompt: { kind: "text" as const, text: "" }, settings, settingsFiles: files };
  const { policy } = await contractOf({ disk }, { ...run, policy: runPolicy(settings), startCommit: null });
  return { explained: explainSettings(layers).map(withoutSecrets), warnings, policy };
}

/** Every problem of the settings of a project. */
export function settingsReport({ disk, env }: Files, projectDir: string): Promise<SettingsReport> {
  return reportSettings({ disk, env, projectDir }, null);
}

/** The last name of a key may say that its value is a secret. */
function withoutSecrets(setting: ExplainedSetting): ExplainedSetting {
  const name = setting.key.split(".").at(-1) ?? "";
  return { ...setting, value: valueAt(redacted({ [name]: setting.value }), [name]) };
}
