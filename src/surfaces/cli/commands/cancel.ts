import { exitCodes } from "../../../core/engine/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { cancelDeadRun } from "../../../shell/drivers/start-run.ts";
import { cancelDeadWork } from "../../../shell/drivers/work-driver.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { wire } from "../../../shell/wire.ts";
import { notAnswered, waitFor } from "../ask-and-wait.ts";
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
  if (!isDriven(machine, run) || !(await cancelDriven(machine, run))) await cancelDead(machine, run);
  const [ended = run] = await machine.store.find(run.id);
  const name = ended.outcome?.name ?? "interrupted";
  if (isOn(input.options, "json")) process.stdout.write(`${JSON.stringify(summarise(ended, false))}\n`);
  else process.stdout.write(`Run ${run.id}: ${name}. ${ended.outcome?.reason ?? ""}\n`);
  await machine.store.close();
  return name === "cancelled" || exitCodes[name] === 0 ? 0 : 2;
}

/**
 * A driver that hears the cancel ends its run within 5 seconds, whatever hangs in it. One that does not (it was stopped, or
 * the kernel holds it) is killed after this time.
 */
const driverMsMax = 10_000;

/** False: the driver did not answer and is gone now; the run is as after a crash. */
async function cancelDriven(machine: Machine, run: RunRecord): Promise<boolean> {
  const isHeard = (now: RunRecord): boolean => now.outcome !== null;
  await machine.store.ask(run.id, "cancel", machine.clock.now());
  if (await waitFor(machine, { runId: run.id, isHeard, msMax: driverMsMax })) return true;
  const { owner } = run;
  if (owner === null || !machine.isOwnerAlive(owner)) return false;
  if (owner.host !== machine.host) throw notAnswered(run.id, "cancel");
  process.stderr.write(`Process ${owner.pid} does not answer and is killed.\n`);
  process.kill(owner.pid, "SIGKILL");
  await waitFor(machine, { runId: run.id, isHeard: () => !machine.processes.isAlive(owner), msMax: driverMsMax });
  return false;
}

async function cancelDead(machine: Machine, run: RunRecord): Promise<void> {
  const { settings, work } = run.frozen;
  const quiet = { ...connect(settings, displayOptions({ quiet: true })), onTaken: () => {} };
  await quiet.closeAfter<unknown>(async () => {
    if (work === undefined) return cancelDeadRun(machine, run.id, quiet);
    const silent = { onTaken: () => {}, onNote: () => {}, onTaskEnd: () => {}, forRole: () => quiet };
    return cancelDeadWork(machine, run.id, { ...silent, onRequest: quiet.onRequest });
  });
}
