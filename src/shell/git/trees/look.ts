import { rmSync } from "node:fs";
import { makePassingFolder } from "../../lib/passing-folder.ts";
import type { Disk } from "../../ports.ts";
import { runStoreFolder, type StoreContext } from "../run-git.ts";
import { createGit, type GitCaller, type GitContext } from "../git.ts";
import { openOwnStore, readStart } from "../own-store.ts";
import { findRepository } from "../repository.ts";

/** Where somebody looks at a project: in a run whose state folder is known, or beside any run. */
export type LookContext = GitContext & { disk: Disk; folder?: string };

/**
 * Looks at a repository through the store of the run, or through one that is gone afterwards. Looks at the same store
 * wait for each other. Null outside git. Rejects when the store cannot be written.
 */
export async function withStore<Result>(
  context: LookContext,
  caller: GitCaller,
  use: (store: StoreContext) => Promise<Result>,
): Promise<Result | null> {
  const { disk, frozen, folder, runId } = context;
  const repository = findRepository(disk, frozen.projectDir);
  if (repository === null) return null;
  const own = folder === undefined ? null : runStoreFolder(folder, runId);
  const open = async (where: string): Promise<Result> => {
    const order = { disk, git: createGit(context, caller), repository, folder: where, isBeforeTurns: false };
    const store = await openOwnStore(order);
    return use({ git: createGit(context, { ...caller, repository: store.start.repository }), disk, store });
  };
  if (own !== null && (await readStart(disk, own)) !== null) return inTurn(context.processes, own, () => open(own));
  return inPassing(open);
}

/**
 * Looks at another work tree of a run's repository with what the run remembers of it, configuration and ignore patterns,
 * through a store that is gone afterwards. Null where the run remembers nothing. Rejects when the directory is not in a
 * work tree of that repository, or the store cannot be written.
 */
export async function withTreeOfRun<Result>(
  context: LookContext & { folder: string },
  caller: GitCaller,
  use: (store: StoreContext) => Promise<Result>,
): Promise<{ result: Result } | null> {
  const { disk, frozen, folder, runId } = context;
  const parentFolder = runStoreFolder(folder, runId);
  const start = await readStart(disk, parentFolder);
  if (start === null) return null;
  const repository = findRepository(disk, frozen.projectDir);
  if (repository?.commonDir !== start.repository.commonDir || repository.top === start.repository.top)
    throw new Error(`it is not a work tree of ${start.repository.top} any more`);
  const git = createGit(context, { ...caller, repository });
  return inPassing(async (where) => {
    const order = { disk, git, repository, folder: where, isBeforeTurns: false, parentFolder };
    return { result: await use({ git, disk, store: await openOwnStore(order) }) };
  });
}

async function inPassing<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const passing = makePassingFolder("git");
  try {
    return await use(passing);
  } finally {
    rmSync(passing, { recursive: true, force: true });
  }
}

/** Looks under way, by who starts their processes and by the folder of their store. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

async function inTurn<Result>(who: object, folder: string, look: () => Promise<Result>): Promise<Result> {
  const looks = underWay.get(who) ?? new Map<string, Promise<unknown>>();
  underWay.set(who, looks);
  const former = looks.get(folder) ?? Promise.resolve();
  const own = former.then(look, look);
  looks.set(folder, own);
  try {
    return await own;
  } finally {
    if (looks.get(folder) === own) looks.delete(folder);
  }
}
