import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { isLooped } from "../../core/settings/run/is-looped.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { chooseTasks } from "../../core/tasks/choose-tasks.ts";
import type { Role } from "../../core/tasks/criteria/role.ts";
import { roleTerms } from "../../core/work/role-terms.ts";
import { noTasksReason } from "../../core/tasks/no-tasks-reason.ts";
import type { Task } from "../../core/tasks/task.ts";
import type { WorkPlan, WorkTask } from "../../core/tasks/work-plan.ts";
import type { Machine } from "../../shell/machine.ts";
import type { Disk } from "../../shell/ports.ts";
import { createWorkGit } from "../../shell/worktrees/git-tool.ts";
import { leftWorktree } from "../../shell/worktrees/work-places.ts";
import { startingPoint } from "../../shell/worktrees/worktrees.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { freezeRun } from "./freeze-run.ts";
import { withHeldOut } from "./with-held-out.ts";

/** What a person asks of a work run. */
export type WorkWish = {
  projectDir: string;
  loaded: Pick<LoadedSettings, "settings" | "files">;
  /** Ids of tasks; none: every task that is ready. */
  names: readonly string[];
  /** All tasks of the project, in the order of the store, where they are not stored yet; those of the store unless told. */
  known?: readonly Task[];
  /** Null: those of the settings. */
  roles: readonly Role[] | null;
  jobs: number;
  isInWorktrees: boolean;
  say: (line: string) => void;
};

/** Chooses the tasks and freezes a work run; null, with a reason said, when there is nothing to do. */
export async function prepareWork(machine: Machine, wish: WorkWish): Promise<FrozenRun | null> {
  const { projectDir, loaded, roles, jobs, isInWorktrees, say } = wish;
  const { settings, files } = loaded;
  const chosen = await chosenTasks(machine, wish);
  if (chosen.length === 0) return null;
  const worktrees = isInWorktrees ? await startingPoint(createWorkGit(machine, "start"), projectDir) : null;
  if (worktrees === null) refuseLeftWorktrees(machine.disk, projectDir, chosen);
  const asked = roles ?? settings.work.roles;
  for (const line of chosen.flatMap((task) => methodNotes(task, asked, settings))) say(line);
  const work: WorkPlan = {
    tasks: chosen.map(frozenTask),
    roles: [...asked],
    // Sending a task back is repeating, too.
    rounds: isLooped(settings) ? settings.work.rounds : 0,
    jobs,
    worktrees,
  };
  const frozen = await freezeRun(machine, {
    projectDir,
    prompt: { kind: "text", text: work.tasks.map(({ id, title }) => `${id}: ${title}`).join("\n") },
    settings,
    settingsFiles: files,
    policy: { ...runPolicy(settings), kind: "work", iterationsMax: null },
    work,
  });
  return withHeldOut(machine, frozen, { file: null });
}

/** Where a method that the settings name cannot be used. */
function methodNotes(task: Task, asked: readonly Role[], settings: Settings): string[] {
  return asked.flatMap((role) => {
    const { note } = roleTerms(task, role, settings);
    return note === null ? [] : [`Task ${task.id}, ${role}: ${note}.`];
  });
}

async function chosenTasks(machine: Machine, wish: WorkWish): Promise<Task[]> {
  const { projectDir, names, loaded, say } = wish;
  const all = wish.known ?? (await machine.store.listTasks(projectDir));
  const found = chooseTasks(all, names);
  if ("problems" in found)
    throw new RalphError("task", found.problems.join(" "), "`ralph task list` shows the tasks of this project.");
  for (const { id, why } of found.left) if (names.length > 0) say(`Task ${id} ${why}.`);
  if (found.chosen.length === 0) for (const line of nothingReady(all, found.left)) say(line);
  requireCriteria(found.chosen, loaded.settings);
  return found.chosen;
}

function requireCriteria(tasks: readonly Task[], { missingSpec }: Settings): void {
  const bare = tasks.filter(({ completion }) => completion === null).map(({ id }) => id);
  if (bare.length > 0 && missingSpec === "error")
    throw new RalphError(
      "task",
      `Without completion criteria, and missingSpec is "error": ${bare.join(", ")}.`,
      `Say what done means: ralph task edit ${bare[0] ?? ""}`,
    );
}

function nothingReady(all: readonly Task[], left: readonly { id: string; why: string }[]): string[] {
  if (all.length === 0) return [noTasksReason];
  const open = left.filter(({ why }) => why !== "is done");
  if (open.length === 0) return ["Nothing to do: every task is done."];
  return ["No task is ready.", ...open.map(({ id, why }) => `  ${id} ${why}`)];
}

/** Work that lies in a work tree is not here: a role would judge something else. */
function refuseLeftWorktrees(disk: Disk, projectDir: string, tasks: readonly Task[]): void {
  for (const { id, progress } of tasks) {
    const path = progress === null ? null : leftWorktree(disk, projectDir, id);
    if (path !== null)
      throw new RalphError("task", `The work on task ${id} lies in ${path}.`, "Continue there: ralph work --worktrees");
  }
}

function frozenTask(task: Task): WorkTask {
  const { status: _status, progress: _progress, createdAt: _created, updatedAt: _updated, ...definition } = task;
  return definition;
}
