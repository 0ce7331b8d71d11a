import type { Verdict } from "../../../core/verification/verdict.ts";
import { unstableReason } from "../../../core/prompts/prompt-texts.ts";
import { redVerdict } from "../../../core/session/read-verdicts.ts";
import type { LookPlace } from "../../../shell/git/look.ts";
import { findRepository } from "../../../shell/git/repository.ts";
import { treeFingerprint } from "../../../shell/git/tree-fingerprint.ts";
import { filesOfTree } from "../event/state-of-tree.ts";

/** Where the checks run. The signal ends every call of git that is compared by. */
export type CheckedTree = LookPlace & { signal: AbortSignal };

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
  if (verdicts.some(({ isPassed }) => !isPassed)) return verdicts;
  const ended = await quickLook(tree);
  if (differing(began, ended).length === 0) return verdicts;
  const content = await contentOf(tree);
  const again = await check();
  if (content === (await contentOf(tree)) && isRepository()) return again;
  const paths = differing(ended, await quickLook(tree)).filter((path) => path !== "");
  const reason = unstableReason(paths.length === 0 ? ["the repository"] : paths);
  return [...again, { ...redVerdict(reason, again.length), name: "unchanged files" }];
}

type Look = ReadonlyMap<string, string>;

/** By the records of the files where that is possible, else by their content, under an empty path. */
async function quickLook(tree: CheckedTree): Promise<Look> {
  return filesOfTree(tree.frozen.projectDir) ?? new Map([["", await contentOf(tree)]]);
}

function contentOf(tree: CheckedTree): Promise<string> {
  return treeFingerprint(tree, { marker: `${tree.runId}.look/${process.pid}`, signal: tree.signal });
}

function differing(before: Look, after: Look): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
