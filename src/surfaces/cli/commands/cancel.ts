import { cancellable } from "../../../app/cancel/cancellable.ts";
import { cancelRun } from "../../../app/cancel/cancel-run.ts";
import { cancelSession } from "../../../app/cancel/cancel-session.ts";
import { summarise } from "../../../app/query/summary/run-summary.ts";
import type { Listener } from "../../../app/requests/listener.ts";
import { isStopsRun } from "../../../core/session/stops/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { wire } from "../../../shell/wire.ts";
import { chooseOne } from "../input/choose-one.ts";
import type { Input } from "../input/command-spec.ts";
import { importEnded } from "../input/import-ended.ts";
import { isOn } from "../input/read-input.ts";
import { runName } from "../input/run-name.ts";
import { tellProblem } from "../input/tell.ts";
import { connect, type LiveConnection } from "../live/connect.ts";
import { displayOptions } from "../live/display-options.ts";

/** `ralph cancel`: asks a living run to end; ends a dead one here. */
export default async function cancel(input: Input): Promise<number> {
  const machine = await wire();
  await importEnded(machine);
  const targets = await cancellable({ ...machine, onProblem: tellProblem }, runName(input));
  const { run, session } = await chooseOne(targets, "cancel");
  const isJson = isOn(input.options, "json");
  const code = run === undefined ? await endSession(machine, session, isJson) : await endRun(machine, run, isJson);
  await machine.store.close();
  return code;
}

async function endSession(machine: Machine, session: SessionRecord, isJson: boolean): Promise<number> {
  const ended = await cancelSession(machine, session);
  const { loop } = session;
  const words = isStopsRun(session)
    ? `The run of session ${loop.sessionId}: cancelled; its next stop begins another one.`
    : `The loop of session ${loop.sessionId}: cancelled at iteration ${loop.iteration} of ${loop.maxIterations}.`;
  process.stdout.write(isJson ? jsonResult(ended) : cleanLines([words]));
  return 0;
}

async function endRun(machine: Machine, run: RunRecord, isJson: boolean): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const { run: ended, isOver } = await cancelRun(machine, run, { say, listener: quietListener });
  const { name, reason } = ended.outcome ?? { name: "interrupted", reason: "" };
  if (isJson) process.stdout.write(jsonResult(summarise(ended, false)));
  else process.stdout.write(cleanLines([`Run ${run.id}: ${name}. ${reason}`]));
  return isOver ? 0 : 2;
}

/** Of a dead run that is ended here, only its end is shown. */
const quietListener: Listener = {
  run: (run, drive) => {
    const quiet = quietOf(run.frozen.settings);
    return quiet.closeAfter(() => drive(quiet));
  },
  work: (run, drive) => {
    const quiet = quietOf(run.frozen.settings);
    const silent = { onTaken: () => {}, onNote: () => {}, onTaskEnd: () => {}, forRole: () => quiet };
    return quiet.closeAfter(() => drive({ ...silent, onRequest: quiet.onRequest }));
  },
};

function quietOf(settings: Settings): LiveConnection {
  return { ...connect(settings, displayOptions({ quiet: true })), onTaken: () => {} };
}
