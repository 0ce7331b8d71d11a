import { feedbackNotes } from "../../../core/prompts/compose-prompt.ts";
import { isStopsRun } from "../../../core/session/stops/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { RunSummary } from "../../../app/query/summary/run-summary.ts";
import { sessionLine, summariseSession } from "../../../app/query/summary/session-summary.ts";

/** A loop inside a host as `ralph show` shows it to people. */
export function renderSession(record: SessionRecord, contract: readonly string[], now: number): string {
  const { loop, directory, host, run } = record;
  return cleanLines([
    sessionLine(summariseSession(record), now),
    `Host: ${host}, in ${directory}`,
    ...contract,
    `Started: ${loop.startedAt}${loop.lastIterationAt === undefined ? "" : `, this iteration ${loop.lastIterationAt}`}`,
    ...(isStopsRun(record) ? [] : [`Task: ${loop.prompt}`]),
    ...feedbackNotes(run.feedback).map((note) => `Told last: ${note}`),
    `End it: ralph cancel ${loop.sessionId}`,
  ]);
}

/** The same for programs: what `ralph status --json` has, and the loop's own facts. */
export function sessionJson(record: SessionRecord, contract: readonly string[]): RunSummary & Record<string, unknown> {
  const { loop, host, run } = record;
  return {
    ...summariseSession(record),
    host,
    prompt: loop.prompt,
    completionPromise: loop.completionPromise,
    gates: run.policy.gates,
    doneMeans: contract.slice(1).map((line) => line.trim()),
    lastIterationAt: loop.lastIterationAt ?? null,
    feedback: feedbackNotes(run.feedback),
  };
}
