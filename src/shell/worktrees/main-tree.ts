import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { foreignPaths } from "../../core/work/tip-place.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { asOwn } from "../lib/as-own.ts";
import type { Disk } from "../ports.ts";
import { readStart } from "../git/own-store.ts";
import { runStoreFolder } from "../git/run-git.ts";
import { candidateTree, differingPaths } from "../git/trees/candidate.ts";
import { type LookContext, withStore } from "../git/trees/look.ts";
import { headCommit, lookAt } from "../git/trees/tree-fingerprint.ts";
import type { Machine } from "../machine.ts";

/** A work run and the main work tree that its tasks are merged into. */
export type MainTree = { projectDir: string; runId: string };

/** Everything that is not ignored, by the patterns of the time before the first turn, whatever the user's index says. */
const everything = { stage: "all" as const, untrackedAtStart: null };

/** The main work tree when the work run began: its commit, and the tree of its files. */
type FrozenTree = { commit: string; tree: string };

const fileName = "main-tree.json";

/**
 * Remembers the files of the main work tree, so that a person's changes from before are known later; what is remembered
 * stays. Nothing outside git. Rejects when git cannot tell.
 */
export async function freezeMainTree(machine: Machine, main: MainTree): Promise<void> {
  const { disk, folder } = machine;
  const own = runStoreFolder(folder, main.runId);
  if ((await readStart(disk, own)) === null || (await readFrozen(disk, own)) !== null) return;
  const commit = await headCommit(machine, main.projectDir, main.runId);
  if (commit === null) return;
  const place = lookAt(machine, main.projectDir, main.runId);
  try {
    await withStore(place, callerOf(place), async (store) => {
      const { tree } = await candidateTree(store, everything);
      const frozen: FrozenTree = { commit, tree };
      await disk.writeAtomic(join(own, fileName), JSON.stringify(frozen));
    });
  } catch (cause) {
    throw unreadable(main, cause);
  }
}

/**
 * Paths of the main work tree that are not as in `commit`, without a person's changes from before the work run. None where
 * nothing was remembered. Rejects when git cannot tell.
 */
export async function foreignFiles(machine: Machine, main: MainTree, commit: string): Promise<string[]> {
  const { disk, folder } = machine;
  const own = runStoreFolder(folder, main.runId);
  const frozen = await readFrozen(disk, own);
  if (frozen === null) return [];
  const place = lookAt(machine, main.projectDir, main.runId);
  try {
    const foreign = await withStore(place, callerOf(place), async (store) => {
      const { tree, left } = await candidateTree(store, everything);
      return foreignPaths({
        differing: await differingPaths(store, commit, tree),
        changedAtStart: await differingPaths(store, frozen.commit, frozen.tree),
        changedSince: await differingPaths(store, frozen.tree, tree),
        inner: left,
        innerAtStart: store.store.start.untracked,
      });
    });
    if (foreign === null) throw new Error("the repository is gone");
    return foreign.slice(0, pathsMax);
  } catch (cause) {
    throw unreadable(main, cause);
  }
}

/** The commit of the main work tree when the work run began; null where nothing was remembered. */
export async function startCommitOf({ disk, folder }: Machine, runId: string): Promise<string | null> {
  return (await readFrozen(disk, runStoreFolder(folder, runId)))?.commit ?? null;
}

/** Paths that go into the journal. */
const pathsMax = 100;

async function readFrozen(disk: Pick<Disk, "readText">, folder: string): Promise<FrozenTree | null> {
  const text = await disk.readText(join(folder, fileName));
  return text === null ? null : asOwn<FrozenTree>(JSON.parse(text));
}

function unreadable({ projectDir }: MainTree, cause: unknown): RalphError {
  const reason = thrownText(cause);
  return new RalphError("scm", `${projectDir} could not be compared with its commit: ${reason}`);
}

function callerOf({ runId }: LookContext): { turnMarker: string } {
  return { turnMarker: `${runId}.git/${process.pid}` };
}
