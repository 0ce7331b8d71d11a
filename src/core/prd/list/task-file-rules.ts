import { judgeTransition } from "./judge-transition.ts";
import {
  capPrefix,
  type KnownFile,
  type KnownTask,
  type ListedTask,
  type ReviewOptions,
  type ReviewTurn,
  shownCap,
  type TaskFile,
} from "./task-file.ts";
import { fillText, prescribedTexts, reviewText, ruleTexts, transitionText, type Violation } from "./violation.ts";

/** Rules that always hold for a file: the rest of check 1 (S4-44), and check 2 (S4-46..50) unless reviews are skipped. */
export function checkStanding(file: TaskFile, options: ReviewOptions): Violation[] {
  return [...file.tasks.flatMap(checkNotes), ...file.tasks.flatMap((task) => checkReviewState(task, options))];
}

/** The same for one task. */
export function checkTask(task: ListedTask, options: ReviewOptions): Violation[] {
  return [...checkNotes(task), ...checkReviewState(task, options)];
}

/**
 * What a turn may change: check 2.5 (S4-51..61), and the rules of every role: no task disappears, no criterion changes.
 * With skipped reviews only the latter apply (S4-75).
 */
export function checkChanges(before: KnownFile, after: TaskFile, turn: ReviewTurn): Violation[] {
  const always = [...findDeletions(before, after, turn), ...findThawed(before, after)];
  if (turn.isReviewSkipped) return always;
  const illegal = pairTasks(before, after).flatMap(
    ({ known, task }) => judgeTransition(known, task, turn).violation ?? [],
  );
  const born = findNew(before, after)
    .filter((task) => !isSubmittedPart(before, task, turn))
    .flatMap(checkBirth);
  return [...illegal, ...findSecondTasks(before, after, turn), ...born, ...always];
}

/** A review or a fix that changed nothing; a stop without one is blocked once (CW-4D). */
export function findMissingStep(before: KnownFile, after: TaskFile, turn: ReviewTurn): Violation | null {
  if (turn.isReviewSkipped || turn.role === "implement") return null;
  const isChanged = pairTasks(before, after).some(
    ({ known, task }) => judgeTransition(known, task, turn).kind !== "unchanged",
  );
  const awaited = turn.role === "review" ? "needs_review" : "changes_requested";
  const open = before.tasks.filter(({ reviewStatus }) => reviewStatus === awaited);
  const task = open.find(({ id }) => id === turn.taskId) ?? open[0];
  if (isChanged || task === undefined) return null;
  const text = turn.role === "review" ? ruleTexts.noVerdict : ruleTexts.noFix;
  return {
    taskId: task.id,
    field: "reviewStatus",
    from: awaited,
    to: awaited,
    kind: "no-step",
    message: fillText(text, { id: task.id }),
  };
}

/** Tasks that existed before, each with its new state. */
export function pairTasks(before: KnownFile, after: TaskFile): { known: KnownTask; task: ListedTask }[] {
  const known = new Map(before.tasks.map((task) => [task.id, task]));
  return after.tasks.flatMap((task) => {
    const former = known.get(task.id);
    return former === undefined ? [] : [{ known: former, task }];
  });
}

/** New tasks. */
export function findNew(before: KnownFile, after: TaskFile): ListedTask[] {
  const ids = new Set(before.tasks.map(({ id }) => id));
  return after.tasks.filter(({ id }) => !ids.has(id));
}

/** A task in its initial state: nothing done, nothing reviewed (S4-52, CW-4E). */
export function checkBirth(task: ListedTask): Violation[] {
  const wrong = (["passes", "reviewStatus", "reviewCount"] as const).find((field) => task[field] !== birth[field]);
  if (wrong === undefined) return [];
  const message = fillText(ruleTexts.newTask, { id: task.id, field: wrong, new: task[wrong] });
  return [{ taskId: task.id, field: wrong, from: null, to: task[wrong], kind: "new-task", message }];
}

/** The initial state of a task. */
export const birth = { passes: false, reviewStatus: null, reviewCount: 0 } as const;

/** Whether a new task is a part of one not begun yet, done and submitted by the implement turn that split it (CW-4E). */
export function isSubmittedPart(before: KnownFile, task: ListedTask, turn: ReviewTurn): boolean {
  if (turn.role !== "implement" || task.passes || task.reviewStatus !== "needs_review" || task.reviewCount !== 0)
    return false;
  const isNew = before.tasks.every(({ id }) => id !== task.id);
  const whole = before.tasks.find(({ id }) => id === task.splitFrom);
  return isNew && whole !== undefined && !whole.passes && whole.reviewStatus === null;
}

function checkNotes(task: ListedTask): Violation[] {
  if (!task.passes || task.notes.trim() !== "") return [];
  const message = fillText(ruleTexts.notes, { id: task.id });
  return [{ taskId: task.id, field: "notes", from: null, to: task.notes, kind: "notes", message }];
}

function checkReviewState(task: ListedTask, options: ReviewOptions): Violation[] {
  const { isReviewSkipped, reviewCap, atCap } = options;
  if (isReviewSkipped) return [];
  const cap = shownCap(options);
  const { id, passes, reviewStatus, reviewCount: count } = task;
  const found: Violation[] = [];
  const report = (kind: Violation["kind"], field: keyof ListedTask, message: string): void =>
    void found.push({ taskId: id, field, from: null, to: task[field], kind, message });
  if (passes && reviewStatus !== "approved")
    report("out-of-sync", "passes", fillText(prescribedTexts.passesUnapproved, { id, reviewStatus }));
  if (!passes && reviewStatus === "approved")
    report("out-of-sync", "reviewStatus", fillText(ruleTexts.approvedNotPassing, { id }));
  if (reviewStatus === "changes_requested" && task.reviewFeedback.trim() === "")
    report("feedback", "reviewFeedback", fillText(ruleTexts.feedbackRequired, { id }));
  if (count < 0 || count > reviewCap + 1)
    report("count", "reviewCount", fillText(ruleTexts.countRange, { id, count, max: reviewCap + 1, cap }));
  if (reviewStatus === "changes_requested" && count >= reviewCap && atCap === "approve")
    report("cap", "reviewStatus", fillText(ruleTexts.refusedAtCap, { id, count, cap, prefix: capPrefix }));
  return found;
}

/** One task per turn: the turn's own, else a part of it, else the first that changed, stays (S4-52, S4-56, S4-59). */
export function findSecondTasks(before: KnownFile, after: TaskFile, turn: ReviewTurn): Violation[] {
  const parts = after.tasks
    .filter((task) => isSubmittedPart(before, task, turn))
    .map((task) => ({ known: { id: task.id, ...birth }, task }));
  const steps = [
    ...pairTasks(before, after).filter(({ known, task }) => judgeTransition(known, task, turn).kind === "step"),
    ...parts,
  ];
  const kept =
    steps.find(({ task }) => task.id === turn.taskId) ??
    parts.find(({ task }) => task.splitFrom === turn.taskId) ??
    steps[0];
  return steps
    .filter((step) => step !== kept)
    .map(({ known, task }) => {
      const { id } = task;
      const [from, to] = [known.reviewStatus, task.reviewStatus];
      const message = {
        implement: fillText(ruleTexts.secondSubmitted, { id, other: kept?.task.id }),
        review: reviewText(id, `story ${kept?.task.id ?? ""} was reviewed in the same iteration`),
        "review-fix": transitionText("review-fix", { id, field: "reviewStatus", from, to }),
      }[turn.role];
      return { taskId: id, field: "reviewStatus", from, to, kind: "second-task", message };
    });
}

/** A task may disappear only when it was split before its work began and its parts are still open (CW-4E). */
function findDeletions(before: KnownFile, after: TaskFile, turn: ReviewTurn): Violation[] {
  const present = new Set(after.tasks.map(({ id }) => id));
  const former = new Map(before.tasks.map((task) => [task.id, task]));
  const isSuccessor = (task: ListedTask, id: string): boolean => {
    const known = former.get(task.id);
    const wasPart = known === undefined || known.splitFrom === undefined || known.splitFrom === id;
    return task.splitFrom === id && !task.passes && wasPart;
  };
  return before.tasks
    .filter(({ id }) => !present.has(id))
    .flatMap((gone) => {
      const isBegun = gone.passes || (!turn.isReviewSkipped && gone.reviewStatus !== null);
      if (!isBegun && after.tasks.some((task) => isSuccessor(task, gone.id))) return [];
      const text = isBegun ? ruleTexts.deletedUnderReview : ruleTexts.deleted;
      const message = fillText(text, { id: gone.id });
      return [{ taskId: gone.id, field: "id", from: gone.id, to: null, kind: "deleted-task" as const, message }];
    });
}

/**
 * Done is measured by what was required: criteria and commands stay as they were at the start. So does `splitFrom`:
 * otherwise an unrelated task could claim to replace another one in one turn, and that one could be deleted in the next.
 */
function findThawed(before: KnownFile, after: TaskFile): Violation[] {
  const criteria = pairTasks(before, after)
    .filter(({ known, task }) => isOther(known.acceptanceCriteria, task.acceptanceCriteria))
    .map(({ known, task }) => ({
      taskId: task.id,
      field: "acceptanceCriteria",
      from: known.acceptanceCriteria,
      to: task.acceptanceCriteria,
      kind: "frozen" as const,
      message: fillText(ruleTexts.criteriaFrozen, { id: task.id }),
    }));
  const origins = pairTasks(before, after)
    .filter(({ known, task }) => known.splitFrom !== undefined && known.splitFrom !== task.splitFrom)
    .map(({ known, task }) => ({
      taskId: task.id,
      field: "splitFrom",
      from: known.splitFrom,
      to: task.splitFrom,
      kind: "frozen" as const,
      message: fillText(ruleTexts.originFrozen, { id: task.id }),
    }));
  if (!isOther(before.verifyCommands, after.verifyCommands)) return [...criteria, ...origins];
  const [from, to] = [before.verifyCommands, after.verifyCommands];
  const message = ruleTexts.commandsFrozen;
  return [...criteria, ...origins, { taskId: null, field: "verifyCommands", from, to, kind: "frozen", message }];
}

function isOther(known: readonly string[] | undefined, now: readonly string[]): boolean {
  return known !== undefined && JSON.stringify(known) !== JSON.stringify(now);
}
