import type { RunConnection } from "../../shell/drivers/start-run.ts";
import type { WorkConnection } from "../../shell/drivers/work/work-connection.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** How a surface listens while this process drives a run: it opens a connection, and closes it when `drive` has ended. */
export type Listener = {
  run: <End>(run: RunRecord, drive: (connection: RunConnection) => Promise<End>) => Promise<End>;
  work: <End>(run: RunRecord, drive: (connection: WorkConnection) => Promise<End>) => Promise<End>;
};
