import { movedHead } from "../../core/policies/delivered-branch.ts";
import { readHeadFile, readStart } from "../git/own-store.ts";
import { runStoreFolder } from "../git/run-git.ts";
import type { RunContext } from "../run-context.ts";

/** Names the branch that the work is on when the run did not begin there. */
export async function nameMovedHead({ disk, folder, runId, note }: RunContext): Promise<void> {
  const start = await readStart(disk, runStoreFolder(folder, runId)).catch(() => null);
  const said = start === null ? null : movedHead(start.head ?? null, readHeadFile(disk, start.repository));
  if (said !== null) await note("warning", said);
}
