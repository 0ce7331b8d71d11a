import { rm } from "node:fs/promises";
import { openRunGit, runStoreFolder } from "../git/run-git.ts";
import { removeOwnLock } from "../git/index-lock.ts";
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
  const opened = await openRunGit(place, { turnMarker: `${runId}.0` }, order).catch(() => null);
  return opened?.store.start.untracked ?? null;
}

/**
 * Opens the store of a resumed run; a run of a version without one gets it now, and what an agent wrote into the
 * repository counts for nothing. Returns the lock that a dead driver's git had left and that was removed, or null.
 */
export async function reopenRepository(machine: Machine, runId: string, projectDir: string): Promise<string | null> {
  const place = { ...machine, runId, frozen: { projectDir } };
  const opened = await openRunGit(place, { turnMarker: `${runId}.0` }).catch(() => null);
  if (opened === null) return null;
  const { folder, start } = opened.store;
  return removeOwnLock({ disk: machine.disk, folder, repository: start.repository });
}

/** Removes what was remembered for a run that never began. */
export async function forgetRepository({ folder }: Machine, runId: string): Promise<void> {
  await rm(runStoreFolder(folder, runId), { recursive: true, force: true }).catch(() => {});
}
