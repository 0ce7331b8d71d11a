import { exitCodes } from "../../core/run/outcome.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { cancelDeadRun } from "../../shell/drivers/start-run.ts";
import { cancelDeadWork } from "../../shell/drivers/work/work-driver.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { isElsewhere } from "../../shell/processes/is-alive.ts";
import { readLineage } from "../../shell/processes/lineage.ts";
import { withStandIns } from "../functions/stand-in-gates.ts";
import { isDriven, isHeld } from "../query/find/is-driven.ts";
import { isUnfinished } from "../query/find/runs-of.ts";
import { notAnswered, waitFor } from "../requests/ask-and-wait.ts";
import type { Listener } from "../requests/listener.ts";
import { refuseOwnRun } from "../requests/own-runs.ts";

/** How a cancel takes part in its surface. */
export type CancelTalk = { say: (line: string) => void; listener: Listener };

/** The run after the cancel. `isOver`: it is cancelled, or had reached its end before the cancel was read. */
export type CancelledRun = { run: RunRecord; isOver: boolean };

/** Asks a living run to end and waits for that; ends a dead one here. */
export async function cancelRun(machine: Machine, run: RunRecord, talk: CancelTalk): Promise<CancelledRun> {
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (!isUnfinished(run))
    throw new RalphError(
      "not-found",
      `Run ${run.id} has already ended: ${run.outcome?.name}.`,
      "There is nothing to cancel.",
    );
  if (!(await isDriven(machine, run)) || !(await cancelDriven(machine, run, talk.say)))
    await cancelDead(machine, run, talk.listener);
  const [ended = run] = await machine.store.find(run.id);
  const name = ended.outcome?.name ?? "interrupted";
  return { run: ended, isOver: name === "cancelled" || exitCodes[name] === 0 };
}

/**
 * A driver that reads the cancel ends its run within 5 seconds, whatever hangs. One that does not (it was stopped, or the
 * kernel blocks it) is killed after this time.
 */
const driverMsMax = 10_000;

/** False: the driver did not answer and was killed; the run is as after a crash. */
async function cancelDriven(machine: Machine, run: RunRecord, say: CancelTalk["say"]): Promise<boolean> {
  const isHeard = (now: RunRecord): boolean => now.outcome !== null;
  await machine.store.ask(run.id, "cancel", machine.clock.now());
  if (await waitFor(machine, { runId: run.id, isHeard, msMax: driverMsMax })) return true;
  const { owner } = run;
  if (owner === null || !(await isHeld(machine, run))) return false;
  if (owner.host !== machine.host || isElsewhere(owner)) throw notAnswered(run.id, "cancel");
  say(`Process ${owner.pid} does not answer and is killed.`);
  process.kill(owner.pid, "SIGKILL");
  await waitFor(machine, { runId: run.id, isHeard: () => !machine.processes.isAlive(owner), msMax: driverMsMax });
  return false;
}

async function cancelDead(machine: Machine, run: RunRecord, listener: Listener): Promise<void> {
  const whole = withStandIns(machine, run);
  if (run.frozen.work === undefined) await listener.run(run, (connection) => cancelDeadRun(whole, run.id, connection));
  else await listener.work(run, (connection) => cancelDeadWork(whole, run.id, connection));
}
