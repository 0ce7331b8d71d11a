import type { FrozenRun, PromptSource } from "../../core/settings/run/frozen-run.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { freezeRun } from "./freeze-run.ts";
import type { Program } from "./load-run-settings.ts";

/** What a person asks of a run on a prompt. */
export type RunWish = {
  projectDir: string;
  prompt: PromptSource;
  loaded: Pick<LoadedSettings, "settings" | "files">;
};

/** Freezes a run on a prompt. */
export function prepareRun(program: Program, { projectDir, prompt, loaded }: RunWish): Promise<FrozenRun> {
  const { settings, files: settingsFiles } = loaded;
  return freezeRun(program, { projectDir, prompt, settings, settingsFiles, policy: runPolicy(settings) });
}
