import { addSpend, type Spend } from "../../../core/agents/spend.ts";
import { type OutcomeName, outcomeSentence, outcomeWord } from "../../../core/run/outcome.ts";
import { activityOf } from "../../../core/journal/activity.ts";
import { lastChecksText } from "../../../core/policies/last-checks.ts";
import type { NativeVerdict } from "../../../core/session/stops/native-stops.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { withVerified } from "../../../core/work/open-work-state.ts";
import { howToResume } from "../../functions/own-functions.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { aboutRun } from "./about-run.ts";
import { type NextCommand, nextCommand } from "./next-command.ts";
import { notWaiting, waitOf } from "./wait-of.ts";

/**
 * A run as `ralph status --json` shows it.
 *
 * @example
 * ```ts
 * import { listRuns, type RunSummary } from "ralph";
 *
 * const isLiving = ({ state }: RunSummary): boolean => state === "running" || state === "paused";
 * console.log((await listRuns()).runs.filter(isLiving).length);
 * ```
 */
export type RunSummary = {
  id: string;
  project: string;
  kind: string;
  /** `died`: its driver is gone without an outcome, by kill -9 for example; it can be resumed. */
  state: "running" | "paused" | "died" | "ended";
  outcome: OutcomeName | null;
  /** Only of a completed run: whether evidence was looked at, or only the agent's word. */
  isVerified?: boolean;
  reason: string | null;
  iteration: number;
  maxIterations: number | null;
  startedAt: string;
  endedAt: string | null;
  spend: Spend;
  /** What it is about, in one line: the beginning of its prompt, its file, its tasks. */
  topic: string;
  /** The program's name without its folder; null: none is configured. */
  agent: string | null;
  model: string | null;
  /** What it does now; null when nobody is at work on it. */
  activity: string | null;
  /** What the checks of the last iteration came to, in a few words. */
  lastChecks: string | null;
  /** What it waits for, in words, and until when if that is known. */
  waitingFor: string | null;
  waitingUntil: string | null;
  /** What a person can do next: words and a command. */
  next: NextCommand | null;
  /** Only of a session without a loop: what its last stop came to. */
  lastStop?: NativeVerdict["kind"];
  /** Only of a role's run on a task: which, and whose child it is. */
  task?: string;
  role?: string;
  round?: number;
  work?: string;
};

/** Summarises a record. A run whose driver died is not at work, whatever its record says; it can be resumed. */
export function summarise(run: RunRecord, isDriven: boolean): RunSummary {
  const { state } = run;
  const isPaused = state.isHeld && state.isPauseAsked;
  const liveState = isPaused ? "paused" : "running";
  const { outcome } = run;
  const isDead = outcome === null && !isDriven;
  const stateOf = (): RunSummary["state"] => {
    if (outcome !== null) return "ended";
    return isDead ? "died" : liveState;
  };
  const died = isDead ? `The driver died. Resume with: ${howToResume(run)}` : null;
  return {
    id: run.id,
    project: run.directory,
    kind: run.kind,
    state: stateOf(),
    outcome: outcome?.name ?? null,
    ...verifiedOf(run),
    reason: outcome?.reason ?? died,
    iteration: state.iteration,
    maxIterations: state.policy.iterationsMax,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    spend: addSpend(state.spend, state.liveSpend),
    ...aboutRun(run.frozen),
    activity: outcome !== null || isDead ? null : activityOf(state).activity,
    lastChecks: lastChecksText(state),
    ...(isDead ? notWaiting : waitOf(run)),
    next: nextCommand(run, isDriven),
    ...roleOf(run),
  };
}

function roleOf({ frozen: { task, criterion }, parentId }: RunRecord): Partial<RunSummary> {
  if (task === undefined || criterion === undefined) return {};
  return {
    task: task.id,
    role: criterion.role,
    round: task.round,
    ...(parentId === null ? {} : { work: parentId }),
  };
}

/** The summary of a work run that somebody is at work on, with how many of its tasks are done. */
export function withTasks(
  { run, summary }: { run: RunRecord; summary: RunSummary },
  tasks: readonly Task[],
): RunSummary {
  return summary.activity === null ? summary : { ...summary, activity: workActivity(run, tasks) };
}

/** What a work run is doing, in a few words. */
function workActivity(run: RunRecord, tasks: readonly Task[]): string {
  const ids = new Set((run.frozen.work?.tasks ?? []).map(({ id }) => id));
  const done = tasks.filter(({ id, status }) => ids.has(id) && status === "done").length;
  const counted = `${done} of ${ids.size} ${ids.size === 1 ? "task" : "tasks"} done`;
  return run.state.isPauseAsked ? `paused, ${counted}` : counted;
}

function verifiedOf({ frozen, state, outcome }: RunRecord): Pick<RunSummary, "isVerified"> {
  if (outcome === null) return {};
  const { isVerified } = frozen.work === undefined ? outcome : withVerified(outcome, state);
  return isVerified === undefined ? {} : { isVerified };
}

/** Whether nobody is at work on a run: it ended, or its driver died. */
export function isOver({ state }: Pick<RunSummary, "state">): boolean {
  return state === "ended" || state === "died";
}

/** How a run ended, as people read it. */
export function summaryWord({
  state,
  outcome,
  isVerified,
}: Pick<RunSummary, "state" | "outcome" | "isVerified">): string {
  return outcome === null ? state : outcomeWord({ name: outcome, ...(isVerified === undefined ? {} : { isVerified }) });
}

/** How a run ended and why, as one sentence. */
export function summarySentence(summary: Pick<RunSummary, "state" | "outcome" | "isVerified" | "reason">): string {
  const { state, outcome, isVerified, reason } = summary;
  if (outcome === null) return `${state}: ${reason}`;
  return outcomeSentence({ name: outcome, reason: reason ?? "", ...(isVerified === undefined ? {} : { isVerified }) });
}
