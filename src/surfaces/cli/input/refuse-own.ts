import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CallerPlace, refuseInsideRun, refuseOwnProject } from "../../../app/own-runs.ts";
import { readLineage } from "../../../shell/processes/lineage.ts";
import { listLoops } from "../../../shell/sessions/loop-state-files.ts";
import { ownEnvironment, ownStateFolder, wireStore } from "../../../shell/wire-store.ts";
import { type Options, projectDirOption } from "./read-input.ts";

/** Refuses a command that changes a project or plugins when it is called from inside a run that this would affect. */
export async function refuseFromOwnRun(changes: "project" | "plugins", options: Options): Promise<void> {
  const folder = ownStateFolder(ownEnvironment());
  const lineage = readLineage();
  // Without a store there is no run, and a read must not create one.
  const records = existsSync(join(folder, "ralph.db")) ? await wireStore() : null;
  const place = { ...(records ?? noRecords), lineage };
  try {
    if (changes === "plugins") return await refuseInsideRun(place);
    const loops = listLoops(join(folder, "sessions"), () => undefined).filter(({ loop }) => loop.active);
    const sessions = loops.map(({ loop, directory }) => ({ id: loop.sessionId, directory }));
    await refuseOwnProject(place, projectDirOption(options), sessions);
  } finally {
    await records?.store.close();
  }
}

const noRecords: Omit<CallerPlace, "lineage"> = {
  store: { list: () => Promise.resolve([]), find: () => Promise.resolve([]) },
  host: "",
  isOwnerAlive: () => false,
};
