import { isDriven } from "../../../app/query/find/is-driven.ts";
import { summarise } from "../../../app/query/summary/run-summary.ts";
import { pauseRun } from "../../../app/requests/pause-run.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";
import { runName } from "../input/run-name.ts";
import { tellProblem } from "../input/tell.ts";

/** `ralph pause`: the current operation finishes, nothing new starts, the process stays. */
export default async function pause(input: Input): Promise<number> {
  const machine = await wireStore();
  const run = await pauseRun({ ...machine, onProblem: tellProblem }, runName(input));
  if (isOn(input.options, "json")) process.stdout.write(jsonResult(summarise(run, await isDriven(machine, run))));
  else process.stdout.write(`Run ${run.id} pauses after the current operation. Resume with: ralph resume ${run.id}\n`);
  await machine.store.close();
  return 0;
}
