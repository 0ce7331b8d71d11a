import type { TipFacts } from "../../src/core/work/tip-place.ts";
import type { WorkEffect } from "../../src/core/work/work-effect.ts";

/** The branch that tasks of a walk are merged into: its commit, and each merge with the commit it was made on. */
export type WalkedBranch = { head: string; merges: Map<string, { taskId: string; base: string }> };

/** The branch as it stands, and the merge of a task that is its tip. */
export function placeOf({ head, merges }: WalkedBranch, taskId: string, verified: readonly string[]): TipFacts {
  const merge = merges.get(head);
  return {
    branch: "main",
    head,
    base: merge?.base ?? null,
    merge: merge?.taskId === taskId ? head : null,
    lost: head.startsWith("moved") ? [...verified] : [],
  };
}

/** A task that is the tip already is not merged again. */
export function mergeOf(
  branch: WalkedBranch,
  { id, taskId, verified = [] }: Extract<WorkEffect, { type: "merge-task" }>,
  isGood: boolean,
): { merge: string | null; place: TipFacts } {
  if (isGood && branch.merges.get(branch.head)?.taskId !== taskId) {
    const commit = `merge-${id}`;
    branch.merges.set(commit, { taskId, base: branch.head });
    branch.head = commit;
  }
  return { merge: isGood ? branch.head : null, place: placeOf(branch, taskId, verified) };
}

/** Takes a merge back; null: there is none. */
export function takeBack(branch: WalkedBranch, merge: string | null): string | null {
  const base = branch.merges.get(merge ?? "")?.base ?? null;
  if (base !== null && branch.head === merge) branch.head = base;
  return base;
}
