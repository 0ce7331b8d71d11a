import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun, PromptSource } from "../../core/settings/run/frozen-run.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { freezeRun } from "./freeze-run.ts";
import { loadHeldOut } from "./load-held-out.ts";
import type { Program } from "./load-run-settings.ts";

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
  const heldOut = heldOutFile === undefined ? [] : await loadHeldOut(program.env, { projectDir, file: heldOutFile });
  if (heldOut.length === 0) return frozen;
  if (settings.seal.checks === "off" || frozen.startCommit === null)
    throw new RalphError(
      "contract",
      "This project has held-out checks, and its checks do not run sealed.",
      'In a git repository set "seal": { "checks": "claims" }, or remove them with: ralph seal held-out remove NAME',
    );
  return { ...frozen, heldOut };
}
