import { join } from "node:path";
import { assert } from "../../core/assert.ts";
import { areApprovalsUnseen, isTurnBroken, stopUnsettled } from "../../core/prd/list-run.ts";
import { findLoosePaths } from "../../core/prd/loose-paths.ts";
import { readTaskFile } from "../../core/prd/list/read-task-file.ts";
import { type SettledTurn, settleTurn } from "../../core/prd/settle-turn.ts";
import { formatTaskFile, type TaskFile } from "../../core/prd/list/task-file.ts";
import type { TaskListState } from "../../core/prd/task-list-state.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import { plainAnswer } from "../../core/run/gate-answer.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateRequest } from "../gates/gate-kind.ts";
import { asOwn } from "../lib/as-own.ts";
import { prefixFrom, repositoryTop } from "./content-mark.ts";
import { recordIteration } from "./iteration-record.ts";
import { bringBack, readList, readOrProblem } from "./list-files.ts";
import { asSlot, listState, nothingSeen, type PrdWork, textOf } from "./prd-work.ts";
import { refuseReview } from "./refuse-review.ts";
import { workFiles } from "./folder/ralph-folder.ts";
import { changedPaths, lookAtTree, type TreeLook } from "./work-tree.ts";

/** Puts the list in order, whatever an agent did to it, and says how it stands. Must not reject. */
export async function settleList(work: PrdWork, request: ListRequest): Promise<GateAnswer> {
  try {
    return await settle(work, request);
  } catch (error) {
    const reason = `The task list could not be put in order: ${thrownText(error)}`;
    // A run that was ending anyway does not say it in its outcome.
    await work.context.note("warning", reason);
    return { ...answerOf(false, reason), stop: stopUnsettled(reason), slot: null, word: null };
  } finally {
    work.seen = nothingSeen;
  }
}

/** What is asked of the list: the memory of it in the store, and whether an approval of this turn may stand. */
export type ListRequest = Pick<GateRequest, "iteration" | "isGreenSoFar" | "isUnproven" | "slot">;

async function settle(work: PrdWork, request: ListRequest): Promise<GateAnswer> {
  const { iteration } = request;
  const tasks = asOwn<TaskListState | null>(request.slot);
  assert(tasks !== null, "a run on a task list has one");
  const known = await knownList(work, tasks);
  const turn = {
    ...work.prd.review,
    role: tasks.assignment?.role ?? "implement",
    taskId: tasks.assignment?.taskId ?? null,
  };
  const edits = [...(await mendActiveFile(work)), ...(await mendPrd(work, known.prd, iteration))];
  const found = await findList(work, known, iteration);
  const span = { before: work.seen.before ?? known.look, after: work.seen.after ?? (await lookAtTree(work.place)) };
  const review =
    tasks.assignment?.role === "review"
      ? await refuseReview(work, { iteration, span, assignment: tasks.assignment })
      : null;
  const settled = settleTurn({ before: known.file, after: found.file }, turn, {
    isApprovalAllowed: request.isGreenSoFar && review === null,
    isTurnFailed: !request.isGreenSoFar && isTurnBroken(work.seen.report),
    isUnproven: request.isUnproven === true,
    refusal: review?.sentence ?? null,
  });
  const text = await writeList(work, settled, found);
  // The list comes first: after a crash here no verdict is left that the undone code would make look earned.
  const { problem, done } = (await review?.undo()) ?? { problem: null, done: null };
  await nameUncommitted(work, span, iteration);
  await recordIteration(work, { iteration, assignment: tasks.assignment, settled });
  const notes = bounded([...found.sentences, ...edits, ...settled.violations, ...(done === null ? [] : [done])]);
  const stop =
    problem === null ? settled.stop : stopUnsettled(`The code changed in a review could not be undone: ${problem}`);
  const isAsFound = text === found.text && found.sentences.length === 0 && edits.length === 0 && review === null;
  const look = (isAsFound ? work.lastLook.recent() : null) ?? (await lookAtTree(work.place));
  if (look.tree !== null) work.lastLook.keep(look);
  const place = { keepText: work.context.keepText, frozen: work };
  const state = await listState(place, { text, file: settled.file, prd: known.prd, look });
  const { isComplete, remark } = settled;
  const { assignment } = state;
  return {
    ...answerOf(true, "the list is in order", areApprovalsUnseen(work.prd.review.isReviewSkipped, iteration)),
    stop,
    slot: asSlot(state),
    word: { isClaim: isComplete, isWorkLeft: assignment !== null, assignment, notes, remark },
  };
}

function answerOf(isPassed: boolean, reason: string, isUnverified = false): GateAnswer {
  const found = { isPassed, exitCode: isPassed ? 0 : 1, isTimedOut: false, durationMs: 0 };
  return plainAnswer([
    {
      index: 0,
      name: "the task list",
      ...found,
      reason,
      output: { text: "" },
      logFile: null,
      ...(isUnverified ? { isUnverified } : {}),
    },
  ]);
}

/** Enough for any honest mistake; an agent that breaks a thousand stories must not fill its own prompt with them. */
const violationsMax = 20;
const violationCharsMax = 1000;

function bounded(violations: readonly string[]): string[] {
  const cut = violations.slice(0, violationsMax).map((each) => each.slice(0, violationCharsMax));
  const more = violations.length - violationsMax;
  return more > 0 ? [...cut, `And ${more} more violations.`] : cut;
}

type KnownList = { text: string; file: TaskFile; prd: string; look: TreeLook };

/** The list before the turn, from the store: no agent can have written there. */
async function knownList({ context, prd: run }: PrdWork, tasks: TaskListState): Promise<KnownList> {
  const text = await textOf(context.store, tasks.copy);
  const { file } = readTaskFile(text);
  assert(file !== undefined, "the copy of a list is a list");
  const look = asOwn<TreeLook>(JSON.parse(await textOf(context.store, tasks.dirty)));
  const prd = tasks.prd === undefined ? run.prd : await textOf(context.store, tasks.prd);
  return { text, file, prd, look };
}

type FoundList = { text: string; file: TaskFile; sentences: string[] };

/** The list after the turn; a broken one is kept aside, and the last good one comes back (CW-4A). */
async function findList(work: PrdWork, known: KnownList, iteration: number): Promise<FoundList> {
  const found = readList(work.files);
  if (!("problem" in found)) return { ...found, sentences: [] };
  const name = "tasks.json";
  const kept = await bringBack(work.files, { name, text: known.text, iteration });
  const where = kept === null ? "" : ` What was there is kept as ${kept}.`;
  const sentence = `${work.prd.folder.name}/tasks.json was broken (${found.problem}); the last good one is back.${where}`;
  return { text: known.text, file: known.file, sentences: [sentence] };
}

async function mendActiveFile({ activeFile }: PrdWork): Promise<string[]> {
  const edit = await activeFile.mend();
  return edit === null ? [] : [edit];
}

async function mendPrd({ files, prd }: PrdWork, known: string, iteration: number): Promise<string[]> {
  const text = readOrProblem(files.disk, files.folder, "prd.md");
  if (text === known) return [];
  const kept = await bringBack(files, { name: "prd.md", text: known, iteration });
  const where = kept === null ? "" : `; what was there is kept as ${kept}`;
  return [`${prd.folder.name}/prd.md is read-only during a run and was restored${where}.`];
}

async function writeList({ files }: PrdWork, { file }: SettledTurn, found: FoundList): Promise<string> {
  if (file === found.file) return found.text;
  const text = formatTaskFile(file, found.text);
  await files.disk.writeAtomic(join(files.folder.path, "tasks.json"), text);
  return text;
}

/** An agent that leaves its work uncommitted is named (R-106, CW-4Q). */
async function nameUncommitted(work: PrdWork, span: { before: TreeLook; after: TreeLook }, iteration: number) {
  const { context, files, place, prd } = work;
  const { before, after } = span;
  const former = new Set(before.dirty);
  const changed = new Set(
    before.tree === null || after.tree === null || former.size === 0
      ? []
      : await changedPaths(place, before.tree, after.tree),
  );
  const prefix = prefixFrom(repositoryTop(files.disk, files.projectDir), files.projectDir);
  const left = findLoosePaths(
    { dirty: after.dirty, isAsBefore: (path) => former.has(path) && !changed.has(path) },
    { prefix, folder: prd.folder.name, files: workFiles },
  );
  if (left.length === 0) return;
  const more = left.length - namesMax;
  const names = `${left.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  await context.note("info", `Iteration ${iteration} left changes uncommitted: ${names}.`);
}

/** File names shown in a note. */
const namesMax = 5;
