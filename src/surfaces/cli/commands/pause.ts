import { refuseOwnRun } from "../../../app/own-runs.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { readLineage } from "../../../shell/processes/lineage.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import { askAndWait } from "./ask-and-wait.ts";
import { chooseRun } from "../../../app/query/choose-run.ts";
import { runName } from "../input/run-name.ts";
import type { Input } from "../input/command-spec.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { isOn } from "../input/read-input.ts";
import { summarise } from "../../../app/query/run-summary.ts";

/** `ralph pause`: the current operation finishes, nothing new starts, the process stays. */
export default async function pause(input: Input): Promise<number> {
  const machine = await wireStore();
  const run = await chooseRun(machine, runName(input), (each) => isDriven(machine, each), "There is no running run");
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (!isDriven(machine, run))
    throw new RalphError("not-found", `Run ${run.id} is not running.`, "There is nothing to pause.");
  await askAndWait(machine, run.id, "pause", (now) => now.state.isPauseAsked || now.outcome !== null);
  const [now = run] = await machine.store.find(run.id);
  if (isOn(input.options, "json")) process.stdout.write(jsonLine(summarise(now, isDriven(machine, now))));
  else process.stdout.write(`Run ${run.id} pauses after the current operation. Resume with: ralph resume ${run.id}\n`);
  await machine.store.close();
  return 0;
}
