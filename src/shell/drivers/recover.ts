import { type Spend, subtractSpend } from "../../core/agents/spend.ts";
import type { RunState } from "../../core/run/state.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { SupervisedTask } from "../../core/supervise/supervised-task.ts";
import type { Machine } from "../machine.ts";
import { childProcesses } from "../supervise/children-gate.ts";
import { closeStaleRuns } from "../supervise/close-stale-runs.ts";
import { openSupervision, type Supervision } from "../supervise/supervision.ts";
import { keptTurn, type SpendContext, spentBefore } from "../perform/session-spend.ts";

/** What a dead driver may have left. */
export type Leftovers = { ended: number; survivors: number[] };

/** Ends every process of the effect that was in flight when the driver died. */
export async function endLeftovers(
  machine: Pick<Machine, "processes" | "disk" | "clock" | "liveness" | "killGraceMs">,
  run: { id: string; state: RunState; frozen: Pick<FrozenRun, "supervised"> },
): Promise<Leftovers> {
  const { processes, killGraceMs } = machine;
  const { pending, turnProcess } = run.state;
  if (pending === null || pending.type === "set-timer") return { ended: 0, survivors: [] };
  const exempt = await registeredProcesses(machine, run.frozen.supervised);
  return processes.endLeftovers(`${run.id}.${pending.id}`, turnProcess, killGraceMs, exempt);
}

/** A resumed run waits for children with a record. */
export async function registeredProcesses(
  { processes, disk, clock, liveness }: Pick<Machine, "processes" | "disk" | "clock" | "liveness">,
  task: SupervisedTask | undefined,
): Promise<ReadonlySet<number>> {
  if (task === undefined) return new Set();
  return childProcesses(supervisionOf({ processes, disk, clock, liveness }, task));
}

/** Closes the runs of a supervised task that died with their driver; to be called once its leftovers are ended. Must not reject. */
export async function closeLeftRuns(
  machine: Pick<Machine, "processes" | "disk" | "clock" | "liveness" | "env">,
  { supervised }: Pick<FrozenRun, "supervised">,
): Promise<void> {
  if (supervised === undefined) return;
  await closeStaleRuns(supervisionOf(machine, supervised), machine.env["JRUN_ID"] || null).catch(() => null);
}

function supervisionOf(
  { processes, disk, clock, liveness }: Pick<Machine, "processes" | "disk" | "clock" | "liveness">,
  task: SupervisedTask,
): Supervision {
  const note = (): Promise<void> => Promise.resolve();
  return openSupervision({ task, disk, clock, world: liveness, identities: processes, note });
}

/** What the lost turn had spent, found in its kept output; null when no turn was lost. */
export async function lostSpend(
  tools: Omit<SpendContext, "runId">,
  run: { id: string; state: RunState },
): Promise<Spend | null> {
  const { pending, turnProcess } = run.state;
  if (pending?.type !== "begin-turn" || turnProcess === null) return null;
  const place = { ...tools, runId: run.id };
  const { total } = await keptTurn(place, pending.id);
  return subtractSpend(total, await spentBefore(place, { effectId: pending.id, sessionId: pending.sessionId }));
}
