import { checkRun } from "../../../app/query/check-journal.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import { type NamedTarget, shownTarget, targetId } from "../../../app/query/target.ts";
import type { Input } from "../input/command-spec.ts";
import { importEnded } from "../input/import-ended.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { renderCheck, renderSessionCheck } from "../views/render-check.ts";
import { renderRun } from "../views/render-run.ts";
import { renderSession, sessionJson } from "../views/render-session.ts";
import { renderWork } from "../views/render-work.ts";
import { wholeRun } from "../../../app/query/whole-run.ts";
import { runJson } from "../../../app/query/run-json.ts";
import { runName } from "../input/run-name.ts";
import { tellOthers, tellProblem } from "../input/tell.ts";
import { renderWholeTask } from "../views/render-whole-task.ts";
import { wholeTask } from "../../../app/query/whole-task.ts";
import { wholeWork, wholeWorkJson } from "../../../app/query/whole-work.ts";

/** `ralph show`: one run with its evidence, a work run with its roles, a session run, or a task with every verdict on it. */
export default async function show(input: Input): Promise<number> {
  const machine = await wireStore();
  await importEnded(machine);
  const isJson = isOn(input.options, "json");
  const place = { ...machine, onProblem: tellProblem };
  if (isOn(input.options, "check")) return checkTarget(machine, await shownTarget(place, runName(input)), isJson);
  const [id] = input.arguments;
  const directory = runDirOption(input.options);
  const task = id === undefined ? null : await machine.store.getTask(directory, id);
  const text =
    task === null
      ? await showTarget(machine, await shownTarget(place, id === undefined ? { directory } : { id }), isJson)
      : renderWholeTask(await wholeTask(machine, directory, task), isJson);
  process.stdout.write(text);
  await machine.store.close();
  return 0;
}

async function showTarget(machine: Records, target: NamedTarget, isJson: boolean): Promise<string> {
  const { run, session } = target;
  tellOthers(target);
  if (session === undefined) return showRun(machine, run, isJson);
  const { sessionContract } = await import("../../../app/query/session-contract.ts");
  const contract = await sessionContract(machine.folder, session);
  return isJson ? jsonLine(sessionJson(session, contract)) : renderSession(session, contract, machine.clock.now());
}

async function checkTarget(machine: Records, target: NamedTarget, isJson: boolean): Promise<number> {
  const { run, session } = target;
  tellOthers(target);
  if (session !== undefined) {
    const { checkSession } = await import("../../../app/query/session-journal.ts");
    const check = checkSession(machine.folder, session);
    const id = targetId(target);
    process.stdout.write(isJson ? jsonLine({ id, ...check }) : renderSessionCheck(id, check));
    await machine.store.close();
    return check.isIntact ? 0 : 1;
  }
  const check = await checkRun(machine, run);
  await machine.store.close();
  process.stdout.write(isJson ? jsonLine({ id: run.id, ...check }) : renderCheck(run.id, check));
  return check.isIntact ? 0 : 1;
}

async function showRun(machine: Records, run: RunRecord, isJson: boolean): Promise<string> {
  if (run.frozen.work === undefined) {
    const whole = await wholeRun(machine, run);
    return isJson ? jsonLine(runJson(whole)) : renderRun(whole);
  }
  return isJson ? jsonLine(await wholeWorkJson(machine, run)) : renderWork(await wholeWork(machine, run));
}
