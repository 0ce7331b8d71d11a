import { assert } from "../../../core/assert.ts";
import type { WorkPlan, WorkTask } from "../../../core/tasks/work-plan.ts";
import { repairableReason } from "../../../core/work/repairable.ts";
import type { TipFacts } from "../../../core/work/tip-place.ts";
import type { TipQuestion, WorkEffect } from "../../../core/work/work-effect.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import type { Machine } from "../../machine.ts";
import type { RunContext } from "../../run-context.ts";
import { newRunId } from "../../stores/run-id.ts";
import type { UndoneMerge } from "../../worktrees/undo-merge.ts";
import type { WorkPlaces } from "../../worktrees/work-places.ts";
import type { NewsOf, Performed, PerformEffect } from "../drive-engine.ts";
import type { AskTip } from "./ask-tip.ts";
import type { RoleRuns } from "./role-runs.ts";
import type { WorkSeal } from "./work-seal.ts";

/** Who carries out the effects of a work run. */
export type WorkTools = {
  machine: Pick<Machine, "clock" | "random">;
  order: WorkPlan;
  places: WorkPlaces;
  roles: RoleRuns;
  askTip: AskTip;
  /** Null: checks are not sealed. */
  seal: WorkSeal | null;
  note: RunContext["note"];
};

/** Carries out the effects of a work run. What a person can repair is an observation; any other fault rejects. */
export function createWorkPerform(tools: WorkTools): PerformEffect<WorkObservation, WorkEffect> {
  return async (effect, signal, post) => {
    try {
      await perform(tools, effect, { signal, post });
    } catch (cause) {
      const reason = repairableReason(cause);
      if (reason === null) throw cause;
      post({ type: "operation-failed", effectId: effect.id, reason });
    }
  };
}

type Running = { signal: AbortSignal; post: (news: NewsOf<WorkObservation>) => void };

async function perform(tools: WorkTools, effect: Performed<WorkEffect>, { signal, post }: Running): Promise<void> {
  const { machine, places, roles, askTip } = tools;
  const effectId = effect.id;
  switch (effect.type) {
    case "open-place": {
      const opened = await places.open(effect.taskId);
      const place = tools.seal === null ? opened : { ...opened, base: await tools.seal.takeBase(opened) };
      const runId = newRunId(machine.clock.now(), machine.random);
      return post({ type: "place-opened", effectId, place, runId });
    }
    case "start-role":
      return roles.start(effect, signal, post);
    case "tell-role":
      return roles.tell(effect.effectId, effect.request);
    case "cut-role":
      return roles.tell(effect.effectId, "interrupt-now", effect.because);
    case "find-tip": {
      const place = await placeOf(tools, effect);
      return post({ type: "tip-found", effectId, head: await places.head(), ...place });
    }
    case "merge-task": {
      const task = taskOf(tools, effect.taskId);
      const problem = await places.merge(task);
      const merge = problem === null ? await places.mergeSince(task, effect.before) : null;
      return post({ type: "task-merged", effectId, problem, merge, ...(await placeOf(tools, effect)) });
    }
    case "compare-tip": {
      const foreign = await places.foreignFiles(effect.commit);
      const place = await places.readTip(taskOf(tools, effect.taskId), effect);
      return post({ type: "tip-compared", effectId, place, foreign });
    }
    case "verify-tip":
      return post(await askTip(effect, signal));
    case "undo-merge":
      return post({ type: "merge-undone", effectId, ...(await undoMerge(tools, effect)) });
    case "clear-place": {
      const kept = await places.clear(effect.taskId);
      if (kept !== null) await tools.note("warning", `Task ${effect.taskId}: ${kept}`);
      return post({ type: "place-cleared", effectId });
    }
    case "set-timer":
      if (await machine.clock.wait(effect.durationMs, signal)) post({ type: "timer-fired", effectId });
  }
}

async function undoMerge(
  tools: WorkTools,
  { taskId, merge, reason }: Extract<WorkEffect, { type: "undo-merge" }>,
): Promise<UndoneMerge> {
  const undone = await tools.places.undo(taskOf(tools, taskId), merge);
  const what = merge === null ? "is red on the tip" : "is red on the merged tip, the merge is undone";
  if (undone.problem === null) await tools.note("warning", `Task ${taskId} ${what}: ${reason}`);
  return undone;
}

/** How the branch stands, where the work run knows how it left it. */
async function placeOf(
  tools: WorkTools,
  { taskId, verified, since }: { taskId: string } & Partial<TipQuestion>,
): Promise<{ place?: TipFacts }> {
  if (verified === undefined) return {};
  return { place: await tools.places.readTip(taskOf(tools, taskId), { verified, since: since ?? null }) };
}

function taskOf({ order }: WorkTools, id: string): WorkTask {
  const task = order.tasks.find((each) => each.id === id);
  assert(task !== undefined, "an effect names a task of its work run");
  return task;
}
