import { RalphError } from "../../core/ralph-error.ts";
import { isStopsRun } from "../../core/session/stops/native-stops.ts";
import { cancelSession as cancelled, type SessionChange } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { realClock } from "../../shell/lib/real-clock.ts";
import type { Machine } from "../../shell/machine.ts";
import { readLineage } from "../../shell/processes/lineage.ts";
import { endLeftChecks } from "../../shell/sessions/left-checks.ts";
import { openLoops } from "../../shell/sessions/loop-state-files.ts";
import type { RunSummary } from "../query/summary/run-summary.ts";
import { sessionsIn } from "../query/find/session-runs.ts";
import { summariseSession } from "../query/summary/session-summary.ts";
import { refuseOwnSession } from "../requests/own-runs.ts";

/**
 * Ends a loop inside a host from outside, and the checks that are at work for it: its next stop or idle finds none. Throws
 * when its end cannot be stored.
 */
export async function cancelSession(
  { folder, processes, killGraceMs }: Pick<Machine, "folder" | "processes" | "killGraceMs">,
  session: SessionRecord,
): Promise<RunSummary> {
  const { loop } = session;
  refuseOwnSession({ lineage: readLineage() }, { id: loop.sessionId });
  const problems: string[] = [];
  const store = openLoops(sessionsIn(folder), (text) => problems.push(text));
  const moment = { at: realClock.now(), upMs: realClock.upMs() };
  const seen = { isThere: false };
  const step = (record: SessionRecord | null): SessionChange | null => {
    seen.isThere = record !== null;
    return record === null ? null : cancelled(record, moment);
  };
  const isStored = store.change(loop.sessionId, step, isStopsRun(session) ? "stops" : "loop");
  if (seen.isThere && isStored && problems.length === 0) {
    await endLeftChecks(processes, { sessionId: loop.sessionId, stateFolder: folder }, killGraceMs);
    return { ...summariseSession(session), state: "ended", outcome: "cancelled", reason: "Cancelled by request." };
  }
  const why = problems[0] ?? "it has ended meanwhile";
  throw new RalphError("not-found", `The loop of session ${loop.sessionId} was not cancelled: ${why}.`);
}
