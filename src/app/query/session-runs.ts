import { join } from "node:path";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { openLoops } from "../../shell/sessions/loop-state-files.ts";

/** Where the sessions of a state folder lie. */
export function sessionsIn(stateFolder: string): string {
  return join(stateFolder, "sessions");
}

/** The session runs that live, with a loop or without, of one directory or of all, newest first. What cannot be read is named. */
export function livingSessions(
  stateFolder: string,
  directory: string | null,
  onProblem: (text: string) => void,
): SessionRecord[] {
  const sessions = openLoops(sessionsIn(stateFolder), onProblem);
  const loops = sessions.list().filter(({ loop }) => loop.active);
  // What cannot be read was named already.
  const stops = openLoops(sessionsIn(stateFolder), () => undefined).list("stops");
  return [...loops, ...stops]
    .filter((record) => directory === null || record.directory === directory)
    .toSorted((one, other) => other.loop.startedAt.localeCompare(one.loop.startedAt));
}
