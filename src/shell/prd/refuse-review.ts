import type { Assignment } from "../../core/contract/assignment.ts";
import { judgeReview } from "../../core/prd/list-run.ts";
import { fewNames } from "../../core/text/few-names.ts";
import { ensureOwnFolder, freeName, padded } from "./list-files.ts";
import type { PrdWork } from "./prd-work.ts";
import { findCodeChanges, undoReview } from "./undo-review.ts";
import { fileChanges, type TreeLook } from "./work-tree.ts";

/** A review whose verdict does not count: the sentence for the agent, and what brings the code back. */
export type RefusedReview = {
  sentence: string;
  /** Says that the change was undone, or what went wrong; both null where nothing can be. */
  undo: () => Promise<{ problem: string | null; done: string | null }>;
};

/** What is known of a review turn. */
export type ReviewTurnSpan = {
  iteration: number;
  span: { before: TreeLook; after: TreeLook };
  assignment: Assignment;
};

/** Looks whether a review changed code (S4-68): then it was no review. Null: it changed none. */
export async function refuseReview(work: PrdWork, turn: ReviewTurnSpan): Promise<RefusedReview | null> {
  const { before, after } = turn.span;
  const { taskId } = turn.assignment;
  if (before.files !== null || after.files !== null) return refuseOutsideGit(turn);
  const changes = await findCodeChanges({ place: work.place, before, after });
  const judged = judgeReview(changes?.paths ?? null);
  if (judged === "counts") return null;
  if (judged === "unknown" || changes === null)
    return unmendable(`Git could not tell what the review of story ${taskId} changed; its verdict does not count.`);
  const patchName = freeName(work.files, `${padded(turn.iteration)}_review_${fileWord(taskId)}.patch`);
  const { context, place } = work;
  return {
    sentence: `Code was changed in the review of story ${taskId} (${fewNames(changes.paths)}). A reviewer judges and fixes nothing: the verdict of that iteration does not count.`,
    async undo() {
      await ensureOwnFolder(work.files);
      const problem = await undoReview({ place, before, after, changes, disk: context.disk, taskId, patchName });
      return { problem, done: problem === null ? `The change was undone and is kept as ${patchName}.` : null };
    },
  };
}

/** Without git nothing can be brought back, but a verdict on code that its reviewer changed is still none. */
function refuseOutsideGit({ span, assignment }: ReviewTurnSpan): RefusedReview | null {
  const changed = fileChanges(span.before.files ?? {}, span.after.files ?? {});
  if (judgeReview(changed) === "counts") return null;
  return unmendable(
    `Files were changed in the review of story ${assignment.taskId} (${fewNames(changed)}). A reviewer judges and fixes nothing: the verdict of that iteration does not count. Outside git the change could not be undone.`,
  );
}

function unmendable(sentence: string): RefusedReview {
  return { sentence, undo: () => Promise.resolve({ problem: null, done: null }) };
}

/** Ids are an agent's words: a part of a file name has only letters that name nothing else. */
function fileWord(id: string): string {
  return id.replaceAll(/[^\w-]/g, "_").slice(0, 50);
}
