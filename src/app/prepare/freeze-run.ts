import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { headCommit } from "../../shell/git/trees/tree-fingerprint.ts";
import { version } from "./version.ts";
import type { Program } from "./load-run-settings.ts";

/** Everything a run is started with: resume uses the same, whatever the files say by then. */
export async function freezeRun<Given extends Omit<FrozenRun, "version" | "startCommit">>(
  program: Program,
  given: Given,
): Promise<Given & FrozenRun> {
  return { ...given, version, startCommit: await headCommit(program, given.projectDir) };
}
