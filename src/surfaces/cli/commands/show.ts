import { checkChain } from "../../../core/journal/chain.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { sha256 } from "../../../shell/stores/sha256.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import { chooseRun } from "../../../app/query/choose-run.ts";
import { runsOf } from "../../../app/query/runs-of.ts";
import { namedTarget, type Target, type TargetPlace } from "../../../app/query/target.ts";
import type { Input } from "../input/command-spec.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { importEnded } from "../input/import-ended.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { renderCheck } from "../views/render-check.ts";
import { renderRun } from "../views/render-run.ts";
import { renderSession, sessionJson } from "../views/render-session.ts";
import { renderWork } from "../views/render-work.ts";
import { wholeRun } from "../../../app/query/whole-run.ts";
import { roleRunsJson, runsOfWork } from "../../../app/query/role-runs.ts";
import { runJson } from "../../../app/query/run-json.ts";
import { summarise } from "../../../app/query/run-summary.ts";
import { livingSessions } from "../../../app/query/session-runs.ts";
import { runName } from "../input/run-name.ts";
import { tellProblem } from "../input/tell-problem.ts";
import { showTask } from "../views/show-task.ts";

/** `ralph show`: one run with its evidence, a work with its roles, a loop inside a session, or a task with every verdict on it. */
export default async function show(input: Input): Promise<number> {
  const machine = await wireStore();
  await importEnded(machine);
  const isJson = isOn(input.options, "json");
  if (isOn(input.options, "check")) return checkRun(machine, input, isJson);
  const [id] = input.arguments;
  const directory = runDirOption(input.options);
  const task = id === undefined ? null : await machine.store.getTask(directory, id);
  const text =
    task === null
      ? await showTarget(machine, await chooseTarget({ ...machine, onProblem: tellProblem }, input, directory), isJson)
      : await showTask(machine, { directory, task, isJson });
  process.stdout.write(text);
  await machine.store.close();
  return 0;
}

/** By its id; without one the newest run of the directory, or what lives in a session where there is none but of sessions. */
async function chooseTarget(place: TargetPlace, input: Input, directory: string): Promise<Target> {
  const [id] = input.arguments;
  if (id !== undefined) return namedTarget(place, id);
  const isOtherRun = (await runsOf(place, directory)).some(({ kind }) => kind !== "session");
  const [session] = isOtherRun ? [] : livingSessions(place.folder, directory, place.onProblem);
  if (session !== undefined) return { session };
  return { run: await chooseRun(place, { directory }, () => true, "There is no run") };
}

async function showTarget(machine: Records, { run, session }: Target, isJson: boolean): Promise<string> {
  if (session === undefined) return showRun(machine, run, isJson);
  const { sessionContract } = await import("../../../app/query/session-contract.ts");
  const contract = await sessionContract(machine.folder, session);
  return isJson ? jsonLine(sessionJson(session, contract)) : renderSession(session, contract, machine.clock.now());
}

/** Whether the journal is unchanged; the evidence of a run depends on it. */
async function checkRun(machine: Records, input: Input, isJson: boolean): Promise<number> {
  const run = await chooseRun(machine, runName(input), () => true, "There is no run");
  const { links, head } = await machine.store.readChain(run.id);
  await machine.store.close();
  const check = checkChain(links, head, sha256);
  process.stdout.write(isJson ? jsonLine({ id: run.id, ...check }) : renderCheck(run.id, check));
  return check.isIntact ? 0 : 1;
}

async function showRun(machine: Records, run: RunRecord, isJson: boolean): Promise<string> {
  const shown = await wholeRun(machine, run);
  const children = await runsOfWork(machine, run);
  if (isJson) {
    const whole = runJson(shown);
    const isWork = run.frozen.work !== undefined;
    return jsonLine(isWork ? { ...whole, runs: await roleRunsJson(machine, children) } : whole);
  }
  if (run.frozen.work === undefined) return renderRun(shown);
  const tasks = await machine.store.listTasks(run.directory);
  const summaries = children.map((child) => ({ run: child, summary: summarise(child, isDriven(machine, child)) }));
  return renderWork(shown, tasks, summaries);
}
