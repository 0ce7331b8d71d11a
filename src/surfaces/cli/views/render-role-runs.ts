import { wholeRun } from "../../../app/query/whole-run.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { renderRun } from "./render-run.ts";

/** Every verdict of these runs with its evidence (S2-14, CW-2O). */
export async function renderRoleRuns(machine: Records, runs: readonly RunRecord[]): Promise<string> {
  const texts: string[] = [];
  for (const run of runs) texts.push(renderRun(await wholeRun(machine, run)));
  return texts.join("\n");
}
