import { judgeTransition } from "./judge-transition.ts";
import { tasksMax, textCharsMax } from "./read-task-file.ts";
import {
  birth,
  checkBirth,
  checkChanges,
  checkStanding,
  checkTask,
  findSecondTasks,
  isSubmittedPart,
} from "./task-file-rules.ts";
import {
  capPrefix,
  type ListedTask,
  type ReviewFields,
  type ReviewTurn,
  type TaskChange,
  taskChanges,
  type TaskFile,
  withTasks,
} from "./task-file.ts";
import type { Violation } from "./violation.ts";

/** The legal file after a turn, and what was undone for it. */
export type Repair = { file: TaskFile; violations: Violation[] };

/**
 * Undoes every illegal edit of a turn, field by field, and keeps the rest of the agent's work. `before` is the last good
 * file. It never approves anything: `settleAtCap` decides about a task that was sent back at the cap.
 */
export function repairTaskFile(before: TaskFile, after: TaskFile, turn: ReviewTurn): Repair {
  const held: ReviewTurn = { ...turn, atCap: "hold" };
  // Check 2 and check 2.5 each have their say, as they do when a session stops (S4-40).
  const violations = withoutRepeats([
    ...firstOfEach(checkStanding(after, held)),
    ...firstOfEach(checkChanges(before, after, held)),
  ]);
  if (violations.length === 0) return { file: after, violations };
  const restored = restoreCommands(before, restoreTasks(before, after, held));
  const former = new Map(before.tasks.map((task) => [task.id, task]));
  const repaired = mapTasks(restored, (task) => {
    const known = former.get(task.id);
    if (known !== undefined) return repairKnown(known, task, held);
    return isSubmittedPart(before, task, held) ? task : repairBirth(task, held);
  });
  const file = held.isReviewSkipped ? repaired : undoSeconds(before, repaired, held);
  // Restored and added tasks together may exceed the limit of a readable list.
  const isReadable = JSON.stringify(file.raw).length <= textCharsMax;
  return { file: isReadable ? file : before, violations };
}

/** Restores deleted tasks after their former neighbour; a list above its limit loses the added tasks. */
function restoreTasks(before: TaskFile, after: TaskFile, turn: ReviewTurn): TaskFile {
  const deletions = checkChanges(before, after, turn).filter(({ kind }) => kind === "deleted-task");
  if (after.tasks.length + deletions.length > tasksMax) return withoutNew(before, after);
  const former = taskChanges(before);
  const merged = deletions.reduce<TaskChange[]>((list, { taskId }) => {
    const at = former.findIndex(({ task }) => task.id === taskId);
    const gone = former[at];
    const earlier = new Set(former.slice(0, at).map(({ task }) => task.id));
    const place = list.findLastIndex(({ task }) => earlier.has(task.id)) + 1;
    return gone === undefined ? list : list.toSpliced(place, 0, gone);
  }, taskChanges(after));
  return withTasks(after, merged);
}

function withoutNew(before: TaskFile, after: TaskFile): TaskFile {
  const kept = new Map(taskChanges(after).map((change) => [change.task.id, change]));
  return withTasks(
    after,
    taskChanges(before).map((change) => kept.get(change.task.id) ?? change),
  );
}

function restoreCommands(before: TaskFile, after: TaskFile): TaskFile {
  if (JSON.stringify(before.verifyCommands) === JSON.stringify(after.verifyCommands)) return after;
  const { verifyCommands: _, ...rest } = after.raw;
  const raw = "verifyCommands" in before.raw ? { ...after.raw, verifyCommands: before.verifyCommands } : rest;
  return { ...after, verifyCommands: before.verifyCommands, raw };
}

function repairBirth(task: ListedTask, turn: ReviewTurn): ListedTask {
  if (turn.isReviewSkipped) return task.passes && task.notes.trim() === "" ? { ...task, passes: false } : task;
  const isIllegal = checkBirth(task).length > 0;
  return isIllegal ? { ...task, ...birth, reviewFeedback: "" } : task;
}

function repairKnown(known: ListedTask, task: ListedTask, turn: ReviewTurn): ListedTask {
  const notes = known.passes && task.notes.trim() === "" ? known.notes : task.notes;
  const frozen = { ...task, notes, acceptanceCriteria: known.acceptanceCriteria, splitFrom: known.splitFrom };
  if (turn.isReviewSkipped) return checkTask(frozen, turn).length === 0 ? frozen : { ...frozen, passes: known.passes };
  const prefixed = withPrefix(known, frozen, turn);
  const isLegal = checkTask(prefixed, turn).length === 0 && judgeTransition(known, prefixed, turn).kind !== "illegal";
  return isLegal ? prefixed : { ...prefixed, ...reviewFieldsOf(known) };
}

/** An approval at the cap without the prefix is valid; only the prefix is missing. */
function withPrefix(known: ListedTask, task: ListedTask, turn: ReviewTurn): ListedTask {
  if (judgeTransition(known, task, turn).violation?.kind !== "cap") return task;
  return { ...task, reviewFeedback: `${capPrefix} ${task.reviewFeedback}` };
}

/** Keeps one of several legal steps; runs last, so that an undone step does not block a legal one. */
function undoSeconds(before: TaskFile, file: TaskFile, turn: ReviewTurn): TaskFile {
  const secondIds = new Set(findSecondTasks(before, file, turn).map(({ taskId }) => taskId));
  const former = new Map(before.tasks.map((task) => [task.id, task]));
  return mapTasks(file, (task) => {
    if (!secondIds.has(task.id)) return task;
    const known = former.get(task.id);
    return known === undefined ? { ...task, ...birth, reviewFeedback: "" } : { ...task, ...reviewFieldsOf(known) };
  });
}

function mapTasks(file: TaskFile, change: (task: ListedTask) => ListedTask): TaskFile {
  return withTasks(
    file,
    taskChanges(file).map(({ task, raw }) => ({ task: change(task), raw })),
  );
}

function reviewFieldsOf({ passes, reviewStatus, reviewCount, reviewFeedback }: ListedTask): ReviewFields {
  return { passes, reviewStatus, reviewCount, reviewFeedback };
}

function withoutRepeats(violations: readonly Violation[]): Violation[] {
  return violations.filter(({ message }, at) => violations.findIndex((other) => other.message === message) === at);
}

/** One edit may break two rules of a check in one field; reporting the first is enough. */
function firstOfEach(violations: readonly Violation[]): Violation[] {
  const key = ({ taskId, field }: Violation): string => `${taskId ?? ""} ${field}`;
  return violations.filter((each, index) => violations.findIndex((other) => key(other) === key(each)) === index);
}
