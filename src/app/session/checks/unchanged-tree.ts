import type { Verdict } from "../../../core/verification/verdict.ts";
import {
  areAllPassed,
  isSameTree,
  isSettled,
  type Look,
  unsettled,
} from "../../../core/session/stops/unchanged-tree.ts";
import type { LookContext } from "../../../shell/git/trees/look.ts";
import { findRepository } from "../../../shell/git/repository.ts";
import { treeFingerprint } from "../../../shell/git/trees/tree-fingerprint.ts";
import { filesOfTree } from "../event/state-of-tree.ts";

/** Where the checks run. The signal ends every call of git that is compared by. */
export type CheckedTree = LookContext & { signal: AbortSignal };

/**
 * Verdicts on a tree that was the same before and after the checks. When files were written meanwhile, all checks run
 * once more and the content of the tree is compared; when that differs, too, there is a red verdict. Outside git nothing
 * is compared.
 */
export async function onUnchangedTree(tree: CheckedTree, check: () => Promise<Verdict[]>): Promise<Verdict[]> {
  const { projectDir } = tree.frozen;
  const isRepository = (): boolean => findRepository(tree.disk, projectDir) !== null;
  if (!isRepository()) return check();
  const began = await quickLook(tree);
  const verdicts = await check();
  if (!areAllPassed(verdicts)) return verdicts;
  const ended = await quickLook(tree);
  if (isSameTree(began, ended)) return verdicts;
  const before = await contentOf(tree);
  const again = await check();
  if (isSettled({ before, after: await contentOf(tree), isRepository: isRepository() })) return again;
  return unsettled(again, { before: ended, after: await quickLook(tree) });
}

/** By the records of the files where that is possible, else by their content, under an empty path. */
async function quickLook(tree: CheckedTree): Promise<Look> {
  return filesOfTree(tree.frozen.projectDir) ?? new Map([["", await contentOf(tree)]]);
}

function contentOf(tree: CheckedTree): Promise<string> {
  return treeFingerprint(tree, { turnMarker: `${tree.runId}/look-${process.pid}`, signal: tree.signal });
}
