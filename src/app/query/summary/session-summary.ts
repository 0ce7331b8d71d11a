import { livingSessions } from "../find/session-runs.ts";
import { noSpend } from "../../../core/agents/spend.ts";
import { lastChecksText } from "../../../core/policies/last-checks.ts";
import { isStopsRun, nativeVerdict, stopWords } from "../../../core/session/stops/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { firstLine } from "./about-run.ts";
import type { RunSummary } from "./run-summary.ts";
import { timedWait } from "./wait-of.ts";

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
  const { loop, run, directory, host } = record;
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
    topic: firstLine(loop.prompt),
    agent: host,
    model: null,
    activity: "in session",
    lastChecks: lastChecksText(run),
    ...timedWait(run),
    next: null,
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
    maxIterations === null ? stopsText(summary) : `iteration ${iteration}/${maxIterations}`,
    ...(lastStop === undefined ? [] : [`last stop ${stopWords(lastStop)}`]),
    age,
    ...(waitingFor === null ? [] : [`waits for ${waitingFor}`]),
  ].join("  ");
}

/** How often the stops of a session without a loop were refused. */
export function stopsText({ iteration }: Pick<RunSummary, "iteration">): string {
  return `stops are judged, sent back ${times(iteration - 1)}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
