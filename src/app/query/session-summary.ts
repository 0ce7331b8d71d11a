import { livingSessions } from "./session-runs.ts";
import { noSpend } from "../../core/agents/spend.ts";
import { activityOf } from "../../core/journal/activity.ts";
import { isStopsRun, nativeVerdict, stopWords } from "../../core/session/stops/native-stops.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { formatDuration } from "../../core/text/duration.ts";
import type { RunSummary } from "./run-summary.ts";

/** The active loops inside hosts, as summaries. One that cannot be read is named. */
export function sessionSummaries(
  stateFolder: string,
  directory: string | null,
  onProblem: (text: string) => void,
): RunSummary[] {
  return livingSessions(stateFolder, directory, onProblem).map(summariseSession);
}

/** A loop inside a host as `ralph status --json` shows it, beside the runs. */
export function summariseSession(record: SessionRecord): RunSummary {
  const { loop, run, directory } = record;
  const { waitingUntil, activity } = activityOf(run);
  const stops = isStopsRun(record) ? { lastStop: nativeVerdict(record).kind } : {};
  return {
    id: loop.sessionId,
    project: directory,
    kind: "session",
    state: "running",
    outcome: null,
    reason: null,
    iteration: loop.iteration,
    maxIterations: run.policy.iterationsMax,
    startedAt: loop.startedAt,
    endedAt: null,
    spend: noSpend,
    waitingFor: waitingUntil === null ? null : `${activity} until ${new Date(waitingUntil).toISOString()}`,
    ...stops,
  };
}

/** One line a loop. */
export function sessionLine(summary: RunSummary, now: number): string {
  const age = formatDuration(Math.max(0, now - Date.parse(summary.startedAt)));
  const { id, iteration, maxIterations, waitingFor, lastStop } = summary;
  return [
    id,
    "in session",
    maxIterations === null
      ? `stops are judged, sent back ${times(iteration - 1)}`
      : `iteration ${iteration}/${maxIterations}`,
    ...(lastStop === undefined ? [] : [`last stop ${stopWords(lastStop)}`]),
    age,
    ...(waitingFor === null ? [] : [`waits for ${waitingFor}`]),
  ].join("  ");
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
