import { basename, join } from "node:path";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { listAside } from "../../../shell/sessions/broken-session.ts";
import { listLost } from "../../../shell/sessions/loop-mark.ts";
import { openLoops } from "../../../shell/sessions/loop-state-files.ts";

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

/** A run that cannot be used, in one sentence; `directory` is null where nobody knows it. */
export type Unusable = { id: string; directory: string | null; problem: string };

/** Loops of sessions whose state was lost, and those that lie aside because they could not be used. */
export function unusableSessions(stateFolder: string): Unusable[] {
  const folder = sessionsIn(stateFolder);
  const lost = listLost(folder).map(({ folderPath }) => {
    const problem = `The state of a Ralph loop is gone from ${folderPath}; its session is told at its next stop.`;
    return { id: basename(folderPath), directory: null, problem };
  });
  const aside = listAside(folder).map((name) => {
    const problem = `A session run could not be used and is kept as ${join(folder, name)}; remove it when you no longer need it.`;
    return { id: name, directory: null, problem };
  });
  return [...lost, ...aside];
}
