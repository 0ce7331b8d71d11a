import { existsSync } from "node:fs";
import { join } from "node:path";
import { readLineage } from "../../shell/processes/lineage.ts";
import { listLoops } from "../../shell/sessions/loop-state-files.ts";
import { ownEnvironment, ownStateFolder, wireStore } from "../../shell/wire-store.ts";
import { sessionsIn } from "../query/session-runs.ts";
import { type CallerPlace, refuseInsideRun, refuseOwnProject } from "./own-runs.ts";

/** What a command changes beside runs: the project in a directory, or the plugins of this user. */
export type ChangedThing = { project: string } | "plugins";

/** Refuses a change of a project or of plugins when it is asked for from inside a run that this would affect. */
export async function refuseFromOwnRun(changed: ChangedThing): Promise<void> {
  const folder = ownStateFolder(ownEnvironment());
  const lineage = readLineage();
  // Without a store there is no run, and a read must not create one.
  const records = existsSync(join(folder, "ralph.db")) ? await wireStore() : null;
  const place = { ...(records ?? noRecords), lineage };
  try {
    if (changed === "plugins") return await refuseInsideRun(place);
    const loops = listLoops(sessionsIn(folder), () => undefined).filter(({ loop }) => loop.active);
    const sessions = loops.map(({ loop, directory }) => ({ id: loop.sessionId, directory }));
    await refuseOwnProject(place, changed.project, sessions);
  } finally {
    await records?.store.close();
  }
}

const noRecords: Omit<CallerPlace, "lineage"> = {
  store: { list: () => Promise.resolve([]), find: () => Promise.resolve([]) },
  host: "",
  isOwnerAlive: () => Promise.resolve(false),
};
