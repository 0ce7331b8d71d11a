import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { WorkPlan } from "../../core/tasks/work-plan.ts";
import type { TipFacts, BranchTip } from "../../core/work/tip-place.ts";
import type { TipQuestion } from "../../core/work/work-effect.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Machine } from "../machine.ts";
import type { Disk, SharedFiles } from "../ports.ts";
import { createProjectDisk } from "../lib/project-disk.ts";
import { createWorkGit } from "./git-tool.ts";
import { createLookAtTask, createMergeTrees } from "./look-at-task.ts";
import { mergeTask, type MergeRequest } from "./merge-task.ts";
import { headCommit } from "../git/trees/tree-fingerprint.ts";
import { whyKept } from "./kept-files.ts";
import { foreignFiles, startCommitOf } from "./main-tree.ts";
import { findPlace, readTip } from "./tip-facts.ts";
import { catchUp, findMerge, undoMerge, type UndoneMerge } from "./undo-merge.ts";
import { openWorktree, removeWorktree, type Worktree, worktreeOf } from "./worktrees.ts";
import { writeOwnIgnoreFile } from "../lib/keep-out-of-git.ts";

/** Where the tasks of a work run are worked on: all in the project directory, or each in a work tree of its own. */
export type WorkPlaces = {
  open: (taskId: string) => Promise<{ projectDir: string; startCommit: string | null }>;
  /** Whether what former roles did for a task is where the next one will look. */
  isKept: (taskId: string) => Promise<boolean>;
  /** Null when the task's work is where it belongs, else why not. */
  merge: (task: NamedTask) => Promise<string | null>;
  /** The commit that the next merge goes onto; null where nothing is merged. */
  head: () => Promise<string | null>;
  /** The merge commit of ours that brought a task in since `before`, if there is one. */
  mergeSince: (task: NamedTask, before: string | null) => Promise<string | null>;
  /** Takes a merge back, or with null only shows the task's coder what it was merged with. */
  undo: (task: NamedTask, merge: string | null) => Promise<UndoneMerge>;
  /** The branch that tasks are merged into, before the first merge; null where nothing is merged. */
  place: () => Promise<BranchTip | null>;
  /** That branch as it stands now, as far as a task is concerned. */
  readTip: (task: NamedTask, question: TipQuestion) => Promise<TipFacts>;
  /** Paths of the main work tree that are not as in the commit, without a person's changes from before. */
  foreignFiles: (commit: string) => Promise<string[]>;
  /** Removes what a merged task no longer needs. Null, or why something is kept. */
  clear: (taskId: string) => Promise<string | null>;
  /** Names where the work of a task lies that was not merged; null in the project directory. */
  nameOf: (taskId: string) => Worktree | null;
};

type NamedTask = { id: string; title: string };

/** The places of a work run, as its order says. */
export function openWorkPlaces(
  { disk, ...others }: Machine,
  { projectDir, runId, order }: { projectDir: string; runId: string; order: Pick<WorkPlan, "worktrees"> },
): WorkPlaces {
  const machine = { ...others, disk: createProjectDisk(disk, projectDir) };
  return order.worktrees === null
    ? sharedPlace(machine, { projectDir, runId })
    : ownPlaces(machine, { projectDir, runId, worktrees: order.worktrees });
}

/** The work tree of a task, when a former work left one behind. */
export function leftWorktree(disk: SharedFiles, projectDir: string, taskId: string): string | null {
  const { path } = worktreeOf(projectDir, "", taskId);
  return disk.look(join(path, ".git")) === null ? null : path;
}

function sharedPlace(machine: Machine, { projectDir, runId }: { projectDir: string; runId: string }): WorkPlaces {
  return {
    open: async () => {
      await keepOutOfGit(machine.disk, projectDir);
      return { projectDir, startCommit: await headCommit(machine, projectDir, runId) };
    },
    isKept: () => Promise.resolve(true),
    merge: () => Promise.resolve(null),
    head: () => Promise.resolve(null),
    mergeSince: () => Promise.resolve(null),
    undo: () => Promise.resolve({ problem: null, tip: null }),
    place: () => Promise.resolve(null),
    readTip: () => Promise.resolve({ branch: null, head: null, base: null, merge: null, lost: [] }),
    foreignFiles: () => Promise.resolve([]),
    clear: () => Promise.resolve(null),
    nameOf: () => null,
  };
}

function ownPlaces(
  machine: Machine,
  {
    projectDir,
    runId,
    worktrees,
  }: { projectDir: string; runId: string; worktrees: { branch: string; prefix: string } },
): WorkPlaces {
  const git = createWorkGit(machine, runId);
  const lookAtTask = createLookAtTask(machine, runId);
  const mergeTrees = machine.mergeTrees ?? createMergeTrees(machine, { projectDir, runId });
  const { branch, prefix } = worktrees;
  const placeOf = (taskId: string): Worktree => worktreeOf(projectDir, prefix, taskId);
  const orderOf = ({ id, title }: NamedTask): MergeRequest => ({
    projectDir,
    into: branch,
    worktree: placeOf(id),
    title: `task: ${id} ${title}`,
  });
  // Git's own list of work trees has one writer at a time.
  let opening: Promise<unknown> = Promise.resolve();
  return {
    async open(taskId) {
      await keepOutOfGit(machine.disk, projectDir);
      const worktree = placeOf(taskId);
      const opened = opening.then(() =>
        openWorktree({ git, disk: machine.disk }, { projectDir, worktree, start: `refs/heads/${branch}` }),
      );
      opening = opened.catch(() => {});
      await opened;
      await keepOutOfGit(machine.disk, worktree.directory);
      return { projectDir: worktree.directory, startCommit: await headCommit(machine, worktree.directory, runId) };
    },
    isKept: (taskId) => Promise.resolve(leftWorktree(machine.disk, projectDir, taskId) !== null),
    merge: async (task) => {
      const order = orderOf(task);
      if (leftWorktree(machine.disk, projectDir, task.id) === null) return `${order.worktree.path} is gone.`;
      return mergeTask({ git, lookAtTask, mergeTrees }, order);
    },
    head: () => headCommit(machine, projectDir, runId),
    mergeSince: (task, before) => findMerge(git, orderOf(task), before),
    undo: async (task, merge) => {
      if (merge === null) await catchUp(git, orderOf(task));
      const undone = merge === null ? { problem: null, tip: null } : await undoMerge(git, orderOf(task), merge);
      // Ours may have come and gone with the merge.
      await keepOutOfGit(machine.disk, projectDir);
      return undone;
    },
    place: () => findPlace(git, projectDir, branch),
    readTip: (task, question) => readTip(git, orderOf(task), question),
    foreignFiles: (commit) => foreignFiles(machine, { projectDir, runId }, commit),
    clear: async (taskId) => {
      const worktree = placeOf(taskId);
      const isThere = leftWorktree(machine.disk, projectDir, taskId) !== null;
      const kept = isThere ? await whyKept(lookAtTask, worktree, await startCommitOf(machine, runId)) : null;
      if (kept === null) await removeWorktree(git, projectDir, worktree);
      return kept;
    },
    nameOf: placeOf,
  };
}

/** A full disk is something a person can mend: it fails the task, not the whole work. */
async function keepOutOfGit(disk: Disk, directory: string): Promise<void> {
  await writeOwnIgnoreFile(disk, directory).catch((cause: unknown) => {
    const reason = thrownText(cause);
    throw new RalphError("scm", `${directory}/.ralph/.gitignore could not be written: ${reason}`);
  });
}
