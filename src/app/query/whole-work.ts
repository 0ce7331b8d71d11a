import type { Task } from "../../core/tasks/task.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { drivenOf } from "./find/is-driven.ts";
import { runsOfWork } from "./find/role-runs.ts";
import { runJson } from "./run-json.ts";
import { type RunSummary, summarise, withTasks } from "./summary/run-summary.ts";
import { type WholeRun, wholeRun } from "./whole-run.ts";

/** A role run with its summary. */
export type ShownRole = { run: RunRecord; summary: RunSummary };

/** A work run with the tasks of its project and its role runs. */
export type WholeWork = WholeRun & { tasks: Task[]; roles: ShownRole[] };

/** A work run with all that is shown of it. */
export async function wholeWork(machine: Records, run: RunRecord): Promise<WholeWork> {
  const roles = await runsOfWork(machine, run);
  const driven = await drivenOf(machine, roles);
  const tasks = await machine.store.listTasks(run.directory);
  const whole = await wholeRun(machine, run);
  return {
    ...whole,
    summary: withTasks(whole, tasks),
    tasks,
    roles: roles.map((role) => ({ run: role, summary: summarise(role, driven.includes(role)) })),
  };
}

/** The same for programs, each role run whole (S2-14, CW-2O). */
export async function wholeWorkJson(machine: Records, run: RunRecord): Promise<Record<string, unknown>> {
  const roles: unknown[] = [];
  for (const role of await runsOfWork(machine, run)) roles.push(runJson(await wholeRun(machine, role)));
  return { ...runJson(await wholeRun(machine, run)), runs: roles };
}
