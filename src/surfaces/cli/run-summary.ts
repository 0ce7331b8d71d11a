import { formatUsd } from "../../core/agents/format-spend.ts";
import { addSpend, type Spend } from "../../core/agents/spend.ts";
import type { OutcomeName } from "../../core/engine/outcome.ts";
import { activityOf } from "../../core/journal/activity.ts";
import { formatDuration } from "../../core/settings/duration.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** A run as `ralph status --json` shows it (design §10). */
export type RunSummary = {
  id: string;
  project: string;
  kind: string;
  state: "running" | "paused" | "ended";
  outcome: OutcomeName | null;
  reason: string | null;
  iteration: number;
  maxIterations: number | null;
  startedAt: string;
  endedAt: string | null;
  spend: Spend;
  waitingFor: string | null;
};

/** Summarises a record. A run whose driver died has ended, whatever its record says; it can be resumed. */
export function summarise(run: RunRecord, isDriven: boolean): RunSummary {
  const { state } = run;
  const isPaused = state.isHeld && state.isPauseAsked;
  const liveState = isPaused ? "paused" : "running";
  const died = { name: "interrupted" as const, reason: `The driver died; \`ralph resume ${run.id}\` goes on.` };
  const outcome = run.outcome ?? (isDriven ? null : died);
  return {
    id: run.id,
    project: run.directory,
    kind: run.kind,
    state: outcome === null ? liveState : "ended",
    outcome: outcome?.name ?? null,
    reason: outcome?.reason ?? null,
    iteration: state.iteration,
    maxIterations: state.policy.iterationsMax,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    spend: addSpend(state.spend, state.liveSpend),
    waitingFor: waitingFor(run, outcome?.name ?? null),
  };
}

function waitingFor(run: RunRecord, outcome: OutcomeName | null): string | null {
  if (outcome === "waiting") return `an answer: ralph resume ${run.id} --answer TEXT`;
  if (outcome !== null) return null;
  if (run.state.isHeld) return `ralph resume ${run.id}`;
  const { waitingUntil, activity } = activityOf(run.state);
  return waitingUntil === null ? null : `${activity} until ${new Date(waitingUntil).toISOString()}`;
}

/** One line a run: what it does now, iteration, last check, spend, what it waits for. */
export function statusLine(run: RunRecord, summary: RunSummary, now: number): string {
  const { iteration, maxIterations } = summary;
  const check = run.state.recentVerdicts.at(-1);
  const age = formatDuration(Math.max(0, (run.endedAt ?? now) - run.createdAt));
  return [
    summary.id,
    summary.state === "ended" ? (summary.outcome ?? "ended") : activityOf(run.state).activity,
    `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`,
    ...(check === undefined ? [] : [check.isPassed ? "checks green" : `checks red: ${check.reason}`]),
    formatUsd(summary.spend),
    age,
    ...(summary.waitingFor === null ? [] : [`waits for ${summary.waitingFor}`]),
    ...(summary.state === "ended" && summary.reason !== null ? [summary.reason] : []),
  ].join("  ");
}
