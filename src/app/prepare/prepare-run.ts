import type { FrozenRun, PromptSource } from "../../core/settings/run/frozen-run.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { freezeRun } from "./freeze-run.ts";
import type { Program } from "./load-run-settings.ts";
import { withHeldOut } from "./with-held-out.ts";

/** What a person asks of a run on a prompt. */
export type RunWish = {
  projectDir: string;
  prompt: PromptSource;
  loaded: Pick<LoadedSettings, "settings" | "files">;
  /** A list of held-out checks in the place of the project's own; null: its own; absent: none are read. */
  heldOutFile?: string | null;
};

/** Freezes a run on a prompt. */
export async function prepareRun(program: Program, wish: RunWish): Promise<FrozenRun> {
  const { projectDir, prompt, loaded, heldOutFile } = wish;
  const { settings, files: settingsFiles } = loaded;
  const given = { projectDir, prompt, settings, settingsFiles, policy: runPolicy(settings) };
  const frozen = await freezeRun(program, given);
  return heldOutFile === undefined ? frozen : withHeldOut(program, frozen, { file: heldOutFile });
}
