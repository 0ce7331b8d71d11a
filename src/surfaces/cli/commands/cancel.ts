import { exitCodes } from "../../../core/engine/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { cancelDeadRun } from "../../../shell/drivers/start-run.ts";
import { wire } from "../../../shell/wire.ts";
import { askAndWait } from "../ask-and-wait.ts";
import { chooseRun, isUnfinished } from "../choose-run.ts";
import type { Input } from "../command-tree.ts";
import { connect } from "../connect.ts";
import { displayOptions } from "../live/display-options.ts";
import { isDriven } from "../is-driven.ts";
import { isOn } from "../read-input.ts";
import { summarise } from "../run-summary.ts";

/** `ralph cancel`: a living run is told to end; a dead one is ended here. */
export default async function cancel(input: Input): Promise<number> {
  const machine = await wire();
  const run = await chooseRun(machine, input, isUnfinished, "There is no unfinished run");
  if (!isUnfinished(run))
    throw new RalphError(
      "not-found",
      `Run ${run.id} has already ended: ${run.outcome?.name}.`,
      "There is nothing to cancel.",
    );
  if (isDriven(machine, run)) await askAndWait(machine, run.id, "cancel", (now) => now.outcome !== null);
  else {
    const quiet = connect(run.frozen.settings, displayOptions({ quiet: true }));
    await quiet.closeAfter(() => cancelDeadRun(machine, run.id, { ...quiet, onTaken: () => {} }));
  }
  const [ended = run] = await machine.store.find(run.id);
  const name = ended.outcome?.name ?? "interrupted";
  if (isOn(input.options, "json")) process.stdout.write(`${JSON.stringify(summarise(ended, false))}\n`);
  else process.stdout.write(`Run ${run.id}: ${name}. ${ended.outcome?.reason ?? ""}\n`);
  await machine.store.close();
  return name === "cancelled" || exitCodes[name] === 0 ? 0 : 2;
}
