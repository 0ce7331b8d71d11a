import { once } from "node:events";
import { checkRun } from "../../../app/query/check-journal.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import { type NamedTarget, shownTarget, targetId } from "../../../app/query/find/target.ts";
import type { Input } from "../input/command-spec.ts";
import { importEnded } from "../input/import-ended.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { isOn, runDirOption } from "../input/read-input.ts";
import { renderCheck, renderSessionCheck } from "../views/render-check.ts";
import { printRun, printRunJson } from "../views/print-run.ts";
import { renderSession, sessionJson } from "../views/render-session.ts";
import { renderWork } from "../views/render-work.ts";
import { printedRun } from "../../../app/query/whole-run.ts";
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
  if (task === null) {
    const target = await shownTarget(place, id === undefined ? { directory } : { id });
    for await (const part of showTarget(machine, target, isJson)) await print(part);
  } else {
    const whole = await wholeTask(machine, directory, task);
    process.stdout.write(renderWholeTask(whole, { isJson, now: machine.clock.now() }));
  }
  await machine.store.close();
  return 0;
}

/** Resolves when the text is out, or nobody reads it any more: what is written without a wait stays in memory. */
async function print(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  const ends = ["drain", "close"].map((name) => once(process.stdout, name, { signal }));
  // A reader that is gone is no reason to wait.
  await Promise.race(ends).catch(() => {});
  waiting.abort();
}

async function* showTarget(machine: Records, target: NamedTarget, isJson: boolean): AsyncGenerator<string> {
  const { run, session } = target;
  tellOthers(target);
  if (session === undefined) {
    yield* showRun(machine, run, isJson);
    return;
  }
  const { sessionContract } = await import("../../../app/query/session-contract.ts");
  const contract = await sessionContract(machine.folder, session);
  yield isJson ? jsonResult(sessionJson(session, contract)) : renderSession(session, contract, machine.clock.now());
}

async function checkTarget(machine: Records, target: NamedTarget, isJson: boolean): Promise<number> {
  const { run, session } = target;
  tellOthers(target);
  if (session !== undefined) {
    const { checkSession } = await import("../../../app/query/session-journal.ts");
    const check = checkSession(machine.folder, session);
    const id = targetId(target);
    process.stdout.write(isJson ? jsonResult({ id, ...check }) : renderSessionCheck(id, check));
    await machine.store.close();
    return check.isIntact ? 0 : 1;
  }
  const check = await checkRun(machine, run);
  await machine.store.close();
  process.stdout.write(isJson ? jsonResult({ id: run.id, ...check }) : renderCheck(run.id, check));
  return check.isIntact ? 0 : 1;
}

/** In parts: a long run is never in memory as a whole. */
async function* showRun(machine: Records, run: RunRecord, isJson: boolean): AsyncGenerator<string> {
  const now = machine.clock.now();
  if (run.frozen.work !== undefined) {
    yield isJson ? jsonResult(await wholeWorkJson(machine, run)) : renderWork(await wholeWork(machine, run), now);
    return;
  }
  const printed = await printedRun(machine, run);
  yield* isJson ? printRunJson(printed) : printRun(printed, now);
}
