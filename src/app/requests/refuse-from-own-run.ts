import { existsSync } from "node:fs";
import { join } from "node:path";
import { readLineage } from "../../shell/processes/lineage.ts";
import { listLoops } from "../../shell/sessions/loop-state-files.ts";
import { ownEnvironment, ownStateFolder, wireStore } from "../../shell/wire-store.ts";
import { sessionsIn } from "../query/find/session-runs.ts";
import { type Caller, refuseInsideRun, refuseOwnProject, type SharedThing } from "./own-runs.ts";

/** What a command changes beside runs: the project in a directory, or what all runs of this user share. */
export type ChangedThing = { project: string } | SharedThing;

/** Refuses a change of a project, of plugins or of keys when it is asked for from inside a run that this would affect. */
export async function refuseFromOwnRun(changed: ChangedThing): Promise<void> {
  const folder = ownStateFolder(ownEnvironment());
  const lineage = readLineage();
  // Without a store there is no run, and a read must not create one.
  const records = existsSync(join(folder, "ralph.db")) ? await wireStore() : null;
  const place = { ...(records ?? noRecords), lineage, folder };
  try {
    if (typeof changed === "string") await refuseInsideRun(place, changed);
    else await refuseChange(place, changed.project);
  } finally {
    await records?.store.close();
  }
}

/** Refuses a change of a project from inside a run or a session loop of it. */
export async function refuseChange(caller: Caller & { folder: string }, project: string): Promise<void> {
  const loops = listLoops(sessionsIn(caller.folder), () => undefined).filter(({ loop }) => loop.active);
  const sessions = loops.map(({ loop, directory }) => ({ id: loop.sessionId, directory }));
  await refuseOwnProject(caller, project, sessions);
}

const noRecords: Omit<Caller, "lineage"> = {
  store: { list: () => Promise.resolve([]), find: () => Promise.resolve([]) },
  host: "",
  isOwnerAlive: () => Promise.resolve(false),
};
