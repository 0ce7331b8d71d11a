import type { TaskProgress } from "../tasks/task.ts";
import { isRed, type TipAnswers } from "./verify-tip.ts";
import type { SealedTip } from "./work-effect.ts";
import type { LedTask, WorkState } from "./work-state.ts";

/** What a gate on a merged tip compares it with, where the checks of the work run are sealed; else nothing. */
export function sealedTip(state: WorkState, task: LedTask, answers: TipAnswers): { sealed?: SealedTip } {
  if (state.work.rules.isSealed === undefined) return {};
  const { place, progress, id } = task;
  const done = state.work.tasks.flatMap((each) =>
    each.phase.kind === "ended" && each.phase.end.status === "done" ? [each.id] : [],
  );
  return {
    sealed: {
      // The tip before the merge was verified; without a merge it is what the task began with.
      base: progress?.tip?.before ?? progress?.base ?? null,
      commit: place === null ? null : (state.work.tip?.commit ?? null),
      tasks: [...done, id],
      isGreenSoFar: !Object.values(answers).some(isRed),
    },
  };
}

/**
 * The base of a task whose merge was undone: its work tree now holds what others have merged, too, and their tests count as they are on
 * the branch. Its own form of them counts no more than before. `merge` is null when ralph made no commit: then nothing was taken back.
 */
export function baseAfterUndo(
  { work }: WorkState,
  { place, progress }: LedTask,
  merge: string | null,
): Pick<TaskProgress, "base"> {
  if (place === null || progress?.base === undefined) return {};
  const beneath = merge === null ? progress.tip?.before : work.tip?.commit;
  return { base: beneath ?? progress.base };
}
