import { join } from "node:path";
import { refuseOwnRun, refuseOwnSession } from "../../../app/own-runs.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { isStopsRun } from "../../../core/session/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { cancelDeadRun } from "../../../shell/drivers/start-run.ts";
import { cancelDeadWork } from "../../../shell/drivers/work/work-driver.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { readLineage } from "../../../shell/processes/lineage.ts";
import { wire } from "../../../shell/wire.ts";
import { notAnswered, waitFor } from "./ask-and-wait.ts";
import { cancelSession } from "./cancel-session.ts";
import { isUnfinished, runsOf } from "../../../app/query/runs-of.ts";
import { livingTargets, namedTarget, type Target } from "../../../app/query/target.ts";
import { chooseOne } from "../input/choose-one.ts";
import { tellProblem } from "../input/tell-problem.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { displayOptions } from "../live/display-options.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { summarise } from "../../../app/query/run-summary.ts";
import { summariseSession } from "../../../app/query/session-summary.ts";
import { importEnded } from "../input/import-ended.ts";

/** `ralph cancel`: asks a living run to end; ends a dead one here. */
export default async function cancel(input: Input): Promise<number> {
  const machine = await wire();
  await importEnded(machine);
  const target = await chooseTarget(machine, input);
  const isJson = isOn(input.options, "json");
  const code =
    target.run === undefined ? endSession(machine, target.session, isJson) : await endRun(machine, target.run, isJson);
  await machine.store.close();
  return code;
}

/** By its id; without one, the active run of this directory. An ended run needs its id. */
async function chooseTarget(machine: Machine, input: Input): Promise<Target> {
  const [id] = input.arguments;
  const place = { ...machine, onProblem: tellProblem };
  if (id !== undefined) return namedTarget(place, id);
  const directory = runDirOption(input.options);
  const living = await livingTargets(place, directory);
  if (living.length > 0) return chooseOne(living, "cancel");
  const ended = (await runsOf(machine, directory)).find(isUnfinished);
  const hint =
    ended === undefined
      ? "`ralph status --all` lists every run."
      : `Run ${ended.id} has ended (${ended.outcome?.name}) and can be resumed; to end it for good: ralph cancel ${ended.id}`;
  throw new RalphError("not-found", `There is no active run in ${directory}.`, hint);
}

function endSession(machine: Machine, session: SessionRecord, isJson: boolean): number {
  refuseOwnSession({ lineage: readLineage() }, { id: session.loop.sessionId });
  cancelSession(join(machine.folder, "sessions"), session);
  const { loop } = session;
  const ended = { ...summariseSession(session), state: "ended", outcome: "cancelled", reason: "Cancelled by request." };
  const words = isStopsRun(session)
    ? `The run of session ${loop.sessionId}: cancelled; its next stop begins another one.`
    : `The loop of session ${loop.sessionId}: cancelled at iteration ${loop.iteration} of ${loop.maxIterations}.`;
  process.stdout.write(isJson ? jsonLine(ended) : cleanLines([words]));
  return 0;
}

async function endRun(machine: Machine, run: RunRecord, isJson: boolean): Promise<number> {
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (!isUnfinished(run))
    throw new RalphError(
      "not-found",
      `Run ${run.id} has already ended: ${run.outcome?.name}.`,
      "There is nothing to cancel.",
    );
  if (!isDriven(machine, run) || !(await cancelDriven(machine, run))) await cancelDead(machine, run);
  const [ended = run] = await machine.store.find(run.id);
  const name = ended.outcome?.name ?? "interrupted";
  if (isJson) process.stdout.write(jsonLine(summarise(ended, false)));
  else process.stdout.write(cleanLines([`Run ${run.id}: ${name}. ${ended.outcome?.reason ?? ""}`]));
  return name === "cancelled" || exitCodes[name] === 0 ? 0 : 2;
}

/**
 * A driver that reads the cancel ends its run within 5 seconds, whatever hangs. One that does not (it was stopped, or the
 * kernel blocks it) is killed after this time.
 */
const driverMsMax = 10_000;

/** False: the driver did not answer and was killed; the run is as after a crash. */
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
