import { exitCodes } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { runPolicy } from "../../../core/settings/run-policy.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { unknownCostWarning } from "../../../core/settings/unknown-cost.ts";
import { chooseTasks } from "../../../core/tasks/choose-tasks.ts";
import { type Role, roles as allRoles } from "../../../core/tasks/role.ts";
import type { Task } from "../../../core/tasks/task.ts";
import type { WorkOrder, WorkTask } from "../../../core/tasks/work-order.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines, cleanMessage } from "../../../core/text/clean-text.ts";
import { chooseAdapter } from "../../../shell/agents/registry.ts";
import { startWork, type WorkEnd } from "../../../shell/drivers/work/work-driver.ts";
import { leftWorktree } from "../../../shell/worktrees/work-places.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { Disk } from "../../../shell/ports.ts";
import { createWorkGit } from "../../../shell/worktrees/git-tool.ts";
import { headCommit } from "../../../shell/git/tree-fingerprint.ts";
import { startingPoint } from "../../../shell/worktrees/worktrees.ts";
import { wire, wireProgram } from "../../../shell/wire.ts";
import { checkStart } from "../input/check-start.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { offerUnfinishedWork } from "../input/offer-unfinished.ts";
import { countOption, isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { version } from "../../../app/version.ts";
import { outcomeText } from "../live/run-lines.ts";

/** `ralph work`: every task that can be worked on, through its roles. */
export default async function work(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const jobs = jobsOption(options);
  const named = rolesOption(options);
  const display = displayOptions(options);
  const flags = readSettingFlags(options);
  const program = wireProgram();
  const { loadSettings } = await import("../../../shell/settings/load-settings.ts");
  const { disk, env } = program;
  const { settings, files, warnings } = await loadSettings({ disk, env, projectDir, onLayer: () => {} }, flags);
  for (const warning of warnings) process.stderr.write(`ralph: ${cleanMessage(warning)}\n`);
  warnOfUnknownCost(program, settings);
  const machine = await wire(program);
  try {
    const chosen = await tasksOf(machine, { projectDir, names: input.arguments, settings });
    if (chosen.length === 0) return 0;
    const worktrees = isOn(options, "worktrees")
      ? await startingPoint(createWorkGit(machine, "start"), projectDir)
      : null;
    if (worktrees === null) refuseLeftWorktrees(machine.disk, projectDir, chosen);
    await checkStart(machine, settings, {
      projectDir,
      isDirtyAllowed: isOn(options, "allowDirty") || worktrees !== null,
    });
    const { rounds } = settings.work;
    const order: WorkOrder = {
      tasks: chosen.map(frozenTask),
      roles: named ?? settings.work.roles,
      rounds,
      jobs,
      worktrees,
    };
    const frozen = await frozenWork(machine, { projectDir, settings, files }, order);
    const live = connect(settings, display);
    const connection = connectWork(live, { settings, display, jobs });
    const end = await live.closeAfter(async () => {
      await prune(machine, settings);
      return (await offerUnfinishedWork(machine, projectDir, connection)) ?? startWork(machine, frozen, connection);
    });
    sayEnd(end, display.isJson);
    return exitCodes[end.outcome.name];
  } finally {
    await machine.store.close();
  }
}

/** The last lines of a work: its outcome, and how to go on. */
export function sayEnd({ id, outcome }: WorkEnd, isJson: boolean): void {
  const { name, reason, isVerified } = outcome;
  if (isJson) {
    const verified = isVerified === undefined ? {} : { isVerified };
    process.stdout.write(
      jsonLine({ kind: "outcome", id, outcome: name, ...verified, reason, exitCode: exitCodes[name] }),
    );
    return;
  }
  process.stderr.write(cleanLines([outcomeText(outcome)]));
  if (name !== "completed" && name !== "cancelled") process.stderr.write(`Go on with: ralph resume ${id}\n`);
}

function jobsOption(options: Options): number {
  const jobs = countOption(options, "jobs", "--jobs") ?? 1;
  if (jobs > jobsMax) throw new RalphError("usage", `--jobs takes at most ${jobsMax}, found ${jobs}.`);
  if (jobs === 1 || isOn(options, "worktrees")) return jobs;
  throw new RalphError(
    "usage",
    `--jobs ${jobs} needs --worktrees: agents side by side in one directory undo each other.`,
  );
}

/** More agents than this at once are a mistake of the keyboard. */
const jobsMax = 64;

function rolesOption(options: Options): Role[] | null {
  const text = textOption(options, "roles");
  if (text === null) return null;
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !allRoles.some((role) => role === name));
  if (wrong !== undefined)
    throw new RalphError(
      "usage",
      `--roles knows ${allRoles.join(", ")}, found "${wrong}".`,
      "Example: --roles coder,reviewer",
    );
  return allRoles.filter((role) => names.includes(role));
}

async function tasksOf(
  machine: Machine,
  { projectDir, names, settings }: { projectDir: string; names: string[]; settings: Settings },
): Promise<Task[]> {
  const all = await machine.store.listTasks(projectDir);
  const found = chooseTasks(all, names);
  if ("problems" in found)
    throw new RalphError("task", found.problems.join(" "), "`ralph task list` shows the tasks of this project.");
  for (const { id, why } of found.left) if (names.length > 0) process.stderr.write(cleanLines([`Task ${id} ${why}.`]));
  if (found.chosen.length === 0) process.stderr.write(`${nothingReady(all, found.left)}\n`);
  const bare = found.chosen.filter(({ completion }) => completion === null).map(({ id }) => id);
  if (bare.length > 0 && settings.missingSpec === "error")
    throw new RalphError(
      "task",
      `Without completion criteria, and missingSpec is "error": ${bare.join(", ")}.`,
      `Say what done means: ralph task edit ${bare[0] ?? ""}`,
    );
  return found.chosen;
}

function nothingReady(all: readonly Task[], left: readonly { id: string; why: string }[]): string {
  if (all.length === 0) return "There are no tasks yet. Add some: ralph task import FILE";
  const open = left.filter(({ why }) => why !== "is done");
  if (open.length === 0) return "Nothing to do: every task is done.";
  return ["No task is ready.", ...open.map(({ id, why }) => `  ${id} ${why}`)].join("\n");
}

/** Work that lies in a work tree is not here: a role would judge something else. */
function refuseLeftWorktrees(disk: Disk, projectDir: string, tasks: readonly Task[]): void {
  for (const { id, progress } of tasks) {
    const path = progress === null ? null : leftWorktree(disk, projectDir, id);
    if (path !== null)
      throw new RalphError("task", `The work on task ${id} lies in ${path}.`, "Go on there: ralph work --worktrees");
  }
}

function frozenTask(task: Task): WorkTask {
  const { status: _status, progress: _progress, createdAt: _created, updatedAt: _updated, ...definition } = task;
  return definition;
}

async function frozenWork(
  machine: Machine,
  { projectDir, settings, files }: { projectDir: string; settings: Settings; files: Record<string, unknown> },
  order: WorkOrder,
): Promise<FrozenRun> {
  return {
    version,
    projectDir,
    prompt: { kind: "text", text: order.tasks.map(({ id, title }) => `${id}: ${title}`).join("\n") },
    settings,
    settingsFiles: files,
    policy: { ...runPolicy(settings), kind: "work", iterationsMax: null },
    startCommit: await headCommit(machine, projectDir),
    work: order,
  };
}

async function prune({ store, clock }: Machine, { store: { keep } }: Settings): Promise<void> {
  await store.prune({ days: keep.days, bytesMax: keep.bytes }, clock.now());
}

function warnOfUnknownCost(machine: Pick<Machine, "agents">, settings: Settings): void {
  if (settings.agent.command === null) return;
  const warning = unknownCostWarning(settings, chooseAdapter(settings.agent.command, machine.agents));
  if (warning !== null) process.stderr.write(cleanLines([warning]));
}
