import type { TurnReport } from "../../core/agents/turn-report.ts";
import type { TextRef } from "../../core/verification/verdict.ts";
import { taskListGateId } from "../../core/contract/task-list.ts";
import type { Json } from "../../core/contract/gate.ts";
import type { RunBegin } from "../../core/run/state.ts";
import type { PrdRun } from "../../core/prd/prd-run.ts";
import { chooseRole } from "../../core/prd/choose-role.ts";
import { isScaffoldTaskFile } from "../../core/prd/list/scaffold.ts";
import { findStartFault } from "../../core/prd/list-run.ts";
import type { TaskFile } from "../../core/prd/list/task-file.ts";
import type { TaskListState } from "../../core/prd/task-list-state.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { RunContext } from "../run-context.ts";
import type { Disk, KeepText, Store } from "../ports.ts";
import { createGit, type GitContext } from "../git/git.ts";
import type { LastLook } from "../perform/turn-looks.ts";
import type { ActiveFile } from "./folder/active-file.ts";
import { type ListFiles, readList, readOrProblem } from "./list-files.ts";
import { lookAtTree, type TreeLook, type ListedTree } from "./work-tree.ts";

/** Everything that looks after one task list during a run shares this. */
export type PrdWork = {
  context: Omit<RunContext, "askGate">;
  prd: PrdRun;
  files: ListFiles;
  place: ListedTree;
  activeFile: ActiveFile;
  /** What this process saw of the turn whose edits come to the gate next; after a crash it saw nothing. */
  seen: SeenTurn;
  /** The last look, while nothing ran since that may have changed files. */
  lastLook: LastLook<TreeLook>;
  /** The effect at work: what it starts carries its number, so that a resumed run can end what is left of it. */
  effectId: number;
};

/** The files before and after a turn, and how it ended. */
export type SeenTurn = { before: TreeLook | null; after: TreeLook | null; report: TurnReport | null };

/** No turn was seen. */
export const nothingSeen: SeenTurn = { before: null, after: null, report: null };

/** What a task list is opened with, before a run drives it. */
export type ListContext = GitContext & {
  frozen: FrozenRun & { prd: PrdRun };
  disk: Disk;
  folder: string;
  keepText: KeepText;
};

/** The list as people left it, with the first role. Throws a `RalphError` when it cannot be worked on. */
export async function openTaskList(context: ListContext): Promise<RunBegin> {
  const { prd } = context.frozen;
  const { text, file } = requireList(context.disk, prd);
  const look = await lookAtTree(treePlace(context, prd));
  return beginOf(await listState(context, { text, file, prd: prd.prd, look }));
}

/** What a run begins or continues with whose list stands so. */
export function beginOf(state: TaskListState): RunBegin {
  const { assignment } = state;
  return { slots: { [taskListGateId]: asSlot(state) }, assignment, isWorkLeft: assignment !== null };
}

/** The list's state as the memory of its gate: plain JSON as it is. */
export function asSlot(state: TaskListState): Json {
  return { ...state };
}

/** The task file, valid and in itself consistent; throws a `RalphError` that says what is wrong. */
export function requireList(disk: Disk, { folder, review }: Pick<PrdRun, "folder" | "review">) {
  const name = `${folder.name}/tasks.json`;
  const raw = readOrProblem(disk, folder, "tasks.json");
  if (typeof raw === "string" && isScaffoldTaskFile(raw))
    throw new RalphError("task", `${name} is still the template.`, "Write the stories first: ralph prd plan");
  const found = readList({ disk, folder });
  if ("problem" in found) throw new RalphError("task", `${name}: ${found.problem}.`, mendHint);
  const fault = findStartFault(found.file, review);
  if (fault === null) return found;
  if (fault.kind === "no-stories")
    throw new RalphError("task", `${name} has no stories.`, "Plan first: ralph prd plan");
  const { sentences, capNeeded: cap } = fault;
  const hint = cap === null ? mendHint : `Start with --review-cap ${cap} or more, or correct the file.`;
  throw new RalphError("task", `${name}: ${sentences.join(" ")}`, hint);
}

const mendHint = "Correct the file, or bring back an earlier one with git.";

/** The list's place in the engine's state. */
export async function listState(
  context: Pick<ListContext, "keepText"> & { frozen: { prd: PrdRun } },
  { text, file, prd, look }: { text: string; file: TaskFile; prd: string; look: TreeLook },
): Promise<TaskListState> {
  const choice = chooseRole(file, context.frozen.prd.review);
  return {
    copy: await context.keepText(text),
    ...(prd === context.frozen.prd.prd ? {} : { prd: await context.keepText(prd) }),
    assignment: choice.kind === "turn" ? { role: choice.role, taskId: choice.taskId } : null,
    dirty: await context.keepText(JSON.stringify(look)),
  };
}

/** A text that may lie in a blob. Rejects when it is gone. */
export async function textOf(store: Pick<Store, "getBlob">, ref: TextRef): Promise<string> {
  if ("text" in ref) return ref.text;
  const text = await store.getBlob(ref.blob);
  if (text === null) throw new Error(`the store has lost the text ${ref.blob}`);
  return text;
}

/** Git in the project, and the store of the run's own trees. */
export function treePlace(
  context: GitContext & { disk: Disk; folder: string },
  { folder }: PrdRun,
  effectId: () => number = () => 0,
): ListedTree {
  const turnMarker = (): string => `${context.runId}.${effectId()}`;
  return {
    git: (words, call) => createGit(context, { turnMarker: turnMarker() })(words, call),
    look: context,
    turnMarker,
    projectDir: context.frozen.projectDir,
    ralphName: folder.name,
  };
}
