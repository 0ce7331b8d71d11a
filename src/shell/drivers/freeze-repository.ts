import { rm } from "node:fs/promises";
import { openRunGit, runStoreFolder } from "../git/candidate.ts";
import type { Machine } from "../machine.ts";

/** The run whose repository is remembered. */
export type RepositoryOfRun = { runId: string; projectDir: string; parentRunId: string | null };

/**
 * Remembers how a repository stands before the first turn: its configuration, and the files that git does not know,
 * which are returned. Null outside git, and where it could not be remembered: then new files are left alone.
 */
export async function freezeRepository(
  machine: Machine,
  { runId, projectDir, parentRunId }: RepositoryOfRun,
): Promise<string[] | null> {
  const place = { ...machine, runId, frozen: { projectDir } };
  const order = { isBeforeTurns: true, parentRunId };
  const opened = await openRunGit(place, { marker: `${runId}.0` }, order).catch(() => null);
  return opened?.store.start.untracked ?? null;
}

/** Makes a store for a run of a version that had none; what an agent wrote into the repository counts for nothing. */
export async function reopenRepository(machine: Machine, runId: string, projectDir: string): Promise<void> {
  const place = { ...machine, runId, frozen: { projectDir } };
  await openRunGit(place, { marker: `${runId}.0` }).catch(() => null);
}

/** Removes what was remembered for a run that never began. */
export async function forgetRepository({ folder }: Machine, runId: string): Promise<void> {
  await rm(runStoreFolder(folder, runId), { recursive: true, force: true }).catch(() => {});
}
