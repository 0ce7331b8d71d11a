import { join } from "node:path";
import type { Disk } from "../ports.ts";
import { runFolders } from "../stores/artefact-path.ts";
import { createGit, type Git, type GitCaller, type GitContext } from "./git.ts";
import { openOwnStore, type OwnStore } from "./own-store.ts";
import { findRepository } from "./repository.ts";

/** The tools and the store of a look. */
export type StoreContext = { git: Git; disk: Disk; store: OwnStore };

/** A run, as far as its repository is concerned. */
export type RunGitContext = GitContext & { disk: Disk; folder: string };

/** The store of a run and git with it. */
export type RunGit = StoreContext;

/** Where the store of a run's own lies: beside its raw streams, so that it is removed with the run. */
export function runStoreFolder(stateFolder: string, runId: string): string {
  return join(stateFolder, runFolders(runId).streams, "git");
}

/**
 * Opens the store of a run; called before the first turn it remembers how the repository stood (`isBeforeTurns`). Null
 * outside git. Rejects when it cannot be written.
 */
export async function openRunGit(
  context: RunGitContext,
  caller: GitCaller,
  order: { isBeforeTurns: boolean; parentRunId?: string | null } = { isBeforeTurns: false },
): Promise<RunGit | null> {
  const { disk, folder, runId } = context;
  const repository = findRepository(disk, context.frozen.projectDir);
  if (repository === null) return null;
  const git = createGit(context, caller);
  const { isBeforeTurns, parentRunId = null } = order;
  const parentFolder = parentRunId === null ? null : runStoreFolder(folder, parentRunId);
  const own = { disk, git, repository, folder: runStoreFolder(folder, runId), isBeforeTurns, parentFolder };
  const store = await openOwnStore(own);
  return { git: createGit(context, { ...caller, repository: store.start.repository }), disk, store };
}
