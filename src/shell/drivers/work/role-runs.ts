import type { Request } from "../../../core/run/observation.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { assert } from "../../../core/assert.ts";
import { endUnstored, roleEndOf, roleUseOf } from "../../../core/work/role-end.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { WorkEffect } from "../../../core/work/work-effect.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import { keptText } from "./kept-text.ts";
import type { Machine } from "../../machine.ts";
import { joinSinks, type RunSink } from "../../sinks/sink.ts";
import type { NewsOf } from "../drive-engine.ts";
import { cancelDeadRun, resumeRun, type RunConnection, startRun } from "../start-run.ts";
import type { SealedRunStart } from "../seal-run.ts";
import type { WorkConnection } from "./work-connection.ts";
import type { WorkSeal } from "./work-seal.ts";

type StartRole = Extract<WorkEffect, { type: "start-role" }>;
type Post = (news: NewsOf<WorkObservation>) => void;

/** The role runs that this program drives for a work run. */
export type RoleRuns = {
  /** Drives a role run to its outcome and reports what it uses. The signal says that the work run cannot continue. */
  start: (effect: StartRole, signal: AbortSignal, post: Post) => Promise<void>;
  /** Tells a role run what was asked; one that is still being made hears it when it begins. */
  tell: (effectId: number, request: Request, because?: Outcome) => void;
};

type Told = { request: Request; because?: Outcome };
type Living = { hear: ((request: Request, because?: Outcome) => void) | null; told: Told[] };

/** What every role run of a work run shares. */
export type RoleRunsContext = {
  machine: Machine;
  work: { id: string; frozen: FrozenRun };
  connection: WorkConnection;
  /** Null: checks are not sealed. */
  seal: WorkSeal | null;
};

/** None is at work yet. */
export function createRoleRuns(context: RoleRunsContext): RoleRuns {
  const living = new Map<number, Living>();
  const tell: RoleRuns["tell"] = (effectId, request, because) => {
    const role = living.get(effectId);
    if (role === undefined) return;
    if (role.hear === null) role.told.push({ request, ...(because === undefined ? {} : { because }) });
    else role.hear(request, because);
  };
  return {
    tell,
    async start(effect, signal, post) {
      const role: Living = { hear: null, told: [] };
      living.set(effect.id, role);
      const stop = (): void => tell(effect.id, "interrupt-now", endUnstored(String(signal.reason)));
      signal.addEventListener("abort", stop, { once: true });
      try {
        const state = await runRole(context, effect, connectionOf(context, effect, { role, post }));
        const [run] = await context.machine.store.find(effect.runId);
        const use = roleUseOf(state, effect.taskId);
        post({ type: "role-ended", effectId: effect.id, use, end: roleEndOf(state, run?.frozen ?? {}) });
      } finally {
        signal.removeEventListener("abort", stop);
        living.delete(effect.id);
      }
    },
  };
}

function connectionOf(
  { connection }: RoleRunsContext,
  effect: StartRole,
  { role, post }: { role: Living; post: Post },
): RunConnection {
  const { taskId, runId, progress } = effect;
  const shown = connection.forRole({ taskId, role: progress.role, round: progress.round, runId });
  return {
    ...shown,
    sink: joinSinks([progressSink(effect, post), shown.sink]),
    onRequest: (listener) => {
      role.hear = listener;
      for (const { request, because } of role.told.splice(0)) listener(request, because);
      return () => {
        role.hear = null;
      };
    },
  };
}

/** Reports what a role run uses, when it has used more. */
function progressSink({ id: effectId, taskId }: StartRole, post: Post): RunSink {
  let last = "";
  return {
    entry: (_, state) => {
      const use = roleUseOf(state, taskId);
      const isEnding = state.ending !== null || state.outcome !== null;
      const now = JSON.stringify([use.iteration, use.spend, isEnding]);
      if (now === last) return;
      last = now;
      post({ type: "role-progressed", effectId, use, isEnding });
    },
    agentEvent: () => {},
  };
}

async function runRole(context: RoleRunsContext, effect: StartRole, connection: RunConnection): Promise<RunState> {
  const { machine, work, seal } = context;
  const { start, runId, taskId, progress } = effect;
  switch (start.kind) {
    case "new": {
      const task = work.frozen.work?.tasks.find(({ id }) => id === taskId);
      assert(task !== undefined, "a role belongs to a task of its work run");
      const { base, ...place } = start.place;
      const run = roleRun({ work: work.frozen, task, progress, place, rest: start.rest });
      const child = { id: runId, parentId: work.id };
      if (seal === null || base === undefined) return (await startRun(machine, unsealed(run), connection, child)).state;
      const sealed = { ...child, seal: (_: Machine, order: SealedRunStart) => seal.sealRole(order, { base, taskId }) };
      return (await startRun(machine, run, connection, sealed)).state;
    }
    case "resume": {
      const answer = start.answer === null ? null : await keptText(machine, start.answer);
      const { change, acceptedTests = [] } = start;
      return (await resumeRun(machine, { runId, answer, change, acceptedTests }, connection)).state;
    }
    case "cancel":
      return (await cancelDeadRun(machine, runId, connection)).state;
  }
}

/** A work run that began without a seal, as one of an earlier version did, has roles without one. */
function unsealed(run: FrozenRun): FrozenRun {
  const { seal } = run.settings;
  return { ...run, settings: { ...run.settings, seal: { ...seal, checks: "off" } } };
}
