import { formatUsd } from "../../core/agents/format-spend.ts";
import { addSpend, type Spend } from "../../core/agents/spend.ts";
import { type OutcomeName, outcomeWord } from "../../core/run/outcome.ts";
import { activityOf } from "../../core/journal/activity.ts";
import { lastChecksText } from "../../core/policies/last-checks.ts";
import { formatDuration } from "../../core/text/duration.ts";
import type { NativeVerdict } from "../../core/session/stops/native-stops.ts";
import type { Task } from "../../core/tasks/task.ts";
import { withVerified } from "../../core/work/open-work-state.ts";
import { howToResume } from "../functions/own-functions.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** A run as `ralph status --json` shows it. */
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
  waitingFor: string | null;
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
    waitingFor: isDead ? null : waitingFor(run, outcome?.name ?? null),
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

/** What a work run is doing, in a few words. */
export function workActivity(run: RunRecord, tasks: readonly Task[]): string {
  const ids = new Set((run.frozen.work?.tasks ?? []).map(({ id }) => id));
  const done = tasks.filter(({ id, status }) => ids.has(id) && status === "done").length;
  const word = run.state.isPauseAsked ? "paused" : "at work";
  return `${word}, ${done} of ${ids.size} ${ids.size === 1 ? "task" : "tasks"} done`;
}

/** One line for a work run. */
export function workLine(run: RunRecord, summary: RunSummary, { tasks, now }: { tasks: readonly Task[]; now: number }) {
  const age = formatDuration(Math.max(0, (run.endedAt ?? now) - run.createdAt));
  return [
    summary.id,
    "work",
    isOver(summary) ? `${summaryWord(summary)}  ${summary.reason ?? ""}` : workActivity(run, tasks),
    formatUsd(summary.spend),
    age,
    ...(summary.waitingFor === null ? [] : [`waits for ${summary.waitingFor}`]),
  ].join("  ");
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

function waitingFor(run: RunRecord, outcome: OutcomeName | null): string | null {
  if (run.kind === "session") return null;
  if (outcome === "waiting" && run.frozen.work !== undefined) return `a person: ralph show ${run.id}`;
  if (outcome === "waiting" && isGateHeld(run)) return howToResume(run);
  if (outcome === "waiting") return `an answer: ${howToResume(run, answerWith)}`;
  if (outcome !== null) return null;
  if (run.state.isHeld) return `ralph resume ${run.id}`;
  const { waitingUntil, activity } = activityOf(run.state);
  return waitingUntil === null ? null : `${activity} until ${new Date(waitingUntil).toISOString()}`;
}

const answerWith = { flag: "--answer TEXT", option: "answer: TEXT" };

/** A gate could not be asked: nobody has to answer, it only is asked again. */
function isGateHeld({ state: { isHeld, pending } }: RunRecord): boolean {
  return isHeld && pending?.type === "run-gate";
}

/** One line a run: what it does now, iteration, last check, spend, what it waits for. */
export function statusLine(run: RunRecord, summary: RunSummary, now: number): string {
  const { iteration, maxIterations } = summary;
  const check = lastChecksText(run.state);
  const age = formatDuration(Math.max(0, (run.endedAt ?? now) - run.createdAt));
  return [
    summary.id,
    ...(summary.task === undefined ? [] : [`task ${summary.task}`, summary.role ?? ""]),
    isOver(summary) ? summaryWord(summary) : activityOf(run.state).activity,
    `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`,
    ...(check === null ? [] : [check]),
    formatUsd(summary.spend),
    age,
    ...(summary.waitingFor === null ? [] : [`waits for ${summary.waitingFor}`]),
    ...(isOver(summary) && summary.reason !== null ? [summary.reason] : []),
  ].join("  ");
}
