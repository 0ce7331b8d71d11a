import { join } from "node:path";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { listLoops } from "../../shell/sessions/loop-state-files.ts";

/** Where the sessions of a state folder lie. */
export function sessionsIn(stateFolder: string): string {
  return join(stateFolder, "sessions");
}

/** The session runs that go on, of one directory or of all, newest first. What cannot be read is named. */
export function livingSessions(
  stateFolder: string,
  directory: string | null,
  onProblem: (text: string) => void,
): SessionRecord[] {
  return listLoops(sessionsIn(stateFolder), onProblem)
    .filter((record) => record.loop.active && (directory === null || record.directory === directory))
    .toSorted((one, other) => other.loop.startedAt.localeCompare(one.loop.startedAt));
}
