import { addSpend } from "../../../core/agents/spend.ts";
import { type Outcome, isFinal } from "../../../core/run/outcome.ts";
import type { RunState } from "../../../core/run/state.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { firstStep, nextStep, type NextStep, type RoleEnd } from "../../../core/work/next-step.ts";
import { checksOf } from "../../../core/work/role-evidence.ts";
import type { Role } from "../../../core/tasks/role.ts";
import type { Task, TaskProgress, TaskStatus } from "../../../core/tasks/task.ts";
import { budgetChange, budgetRest } from "../../../core/work/work-budget.ts";
import type { WorkOrder, WorkTask } from "../../../core/tasks/work-order.ts";
import type { TaskEnd } from "../../../core/work/work-outcome.ts";
import { assert } from "../../../core/assert.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import { joinSinks } from "../../sinks/sink.ts";
import { newRunId } from "../../stores/run-id.ts";
import { outcomeOf } from "../outer-driver.ts";
import { resumeRun, type RunConnection, startRun } from "../start-run.ts";
import { writeStanding } from "./task-standing.ts";
import type { WorkPlaces } from "../../worktrees/work-places.ts";
import type { WorkRecord } from "./work-record.ts";
import type { WorkTip } from "./work-tip.ts";

/** A role's run on its way to a person. */
export type RolePlace = { taskId: string; role: Role; round: number; runId: string };

/** How a surface listens to a work and its roles. */
export type WorkConnection = Pick<RunConnection, "onRequest" | "onTaken"> & {
  /** A line about the work or one of its tasks. */
  onNote: (level: "info" | "warning", text: string) => void;
  /** The connection of one role's run. */
  forRole: (place: RolePlace) => Omit<RunConnection, "onRequest">;
  onTaskEnd: (end: TaskEnd) => void;
};

/** What a person brought along when the work goes on. */
export type WorkHelp = { answer: { taskId: string | null; text: string } | null; more: number | null };

/** Everything the tasks of one work share. */
export type Work = {
  machine: Machine;
  frozen: FrozenRun;
  order: WorkOrder;
  record: WorkRecord;
  connection: WorkConnection;
  places: WorkPlaces;
  tip: WorkTip;
  help: WorkHelp;
};

/** Where a task's way ended, and what was stored of it. */
export type PlayedTask = {
  status: TaskStatus;
  outcome: Outcome | null;
  progress: TaskProgress | null;
  /** It stood like this before: nothing was played. */
  isOver?: true;
};

/** Leads a task through its roles, from where it stands. Everything is stored before it happens and after it did. */
export async function playTask(work: Work, task: WorkTask): Promise<PlayedTask> {
  const { machine, frozen, record } = work;
  const now = await machine.store.getTask(frozen.projectDir, task.id);
  if (now === null) return { status: "failed", outcome: null, progress: null };
  const begun = await beginTask(work, task, now);
  if (begun.kind === "end") return begun;
  for (let { progress } = begun; ;) {
    await record.whenGoing();
    const asked = record.asked();
    const step = (await mayPlay(work, progress)) ? await playRole(work, task, progress) : heldBack(progress, asked);
    if (step.kind === "end") return step;
    progress = step.progress;
    await store(work, task, { status: "running", progress });
  }
}

/** Stores how far a task is; an edit meanwhile is named, and changes nothing. */
export async function store(
  work: Work,
  task: WorkTask,
  { status, progress }: { status: TaskStatus; progress: TaskProgress | null },
): Promise<void> {
  const { machine, frozen, record } = work;
  const iteration = task.iteration + record.iterationsOf(task.id);
  const place = { directory: frozen.projectDir, id: task.id };
  const written = await writeStanding(machine, place, { status, iteration, progress });
  if (written === null) await record.note("warning", `Task ${task.id} was removed during the work.`);
  else if (written.version !== task.version && status !== "running")
    await record.note(
      "warning",
      `Task ${task.id} was edited during the work, which went on with version ${task.version} of it.`,
    );
}

/** Done, given up, or somewhere on its way: a work begins where the one before it stopped. */
async function beginTask(work: Work, task: WorkTask, now: Task): Promise<NextStep | (PlayedTask & { kind: "end" })> {
  const { order, help } = work;
  if (now.status === "done") return { kind: "end", ...played("done", now, "completed"), isOver: true };
  // Its roles are done; a kill or a cancel came before the merged tip was verified.
  if (now.progress?.tip !== undefined && now.status !== "failed" && (await work.places.isKept(task.id)))
    return { kind: "end", ...played("done", now, "completed") };
  if (now.status === "conflict") return { kind: "end", ...played("conflict", now, "waiting") };
  const last = await ownRun(work, now.progress?.runId ?? null);
  if (now.status === "failed" && last !== null) {
    const isMore = help.more !== null && last.outcome?.name === "exhausted";
    if (!isMore || now.progress === null) return { kind: "end", ...played("failed", now, "exhausted") };
    return { kind: "role", progress: now.progress };
  }
  const isAnew = now.status === "failed" || !(await work.places.isKept(task.id));
  const before = isAnew && now.progress !== null ? null : now.progress;
  const start = firstStep(before, order);
  assert(start !== null, "a work has at least one role");
  const reasons = now.progress?.reasons ?? [];
  return { kind: "role", progress: { ...start, reasons, runId: isAnew ? null : (last?.id ?? null) } };
}

function played(status: TaskStatus, { progress }: Task, name: Outcome["name"]): PlayedTask {
  const reason = progress?.note ?? "";
  return { status, outcome: { name, reason: reason.replace(/^\w+: /, "") }, progress };
}

/** Nothing new begins once something was asked; but a run whose driver died is told of a cancel, too. */
async function mayPlay(work: Work, { runId }: TaskProgress): Promise<boolean> {
  const asked = work.record.asked();
  if (asked === null) return true;
  return asked.name === "cancelled" && (await ownRun(work, runId)) !== null;
}

function heldBack(progress: TaskProgress, asked: Outcome | null): NextStep {
  assert(asked !== null, "a task is held back for a reason");
  const outcome = asked;
  return {
    kind: "end",
    status: "ready",
    outcome,
    progress: { ...progress, note: `${outcome.name}: ${outcome.reason}` },
  };
}

/** One role's run: begun, gone on with, or found ended when the driver died before it could say so. */
async function playRole(work: Work, task: WorkTask, before: TaskProgress): Promise<NextStep> {
  const { machine, order } = work;
  const known = await ownRun(work, before.runId);
  const runId = known?.id ?? newRunId(machine.clock.now(), machine.random);
  const progress = { ...before, runId, note: "" };
  await store(work, task, { status: "running", progress });
  const state = await runState(work, task, { progress, runId, known });
  const end = roleEnd(state);
  return nextStep(progress, { ...end, checks: await checksBehind(work, runId) }, order);
}

type RoleStart = { progress: TaskProgress; runId: string; known: RunRecord | null };

async function runState(work: Work, task: WorkTask, { progress, runId, known }: RoleStart): Promise<RunState> {
  const { machine, frozen, record, help } = work;
  const { role, round } = progress;
  if (known !== null && isOver(known, help)) return known.state;
  const follow = record.follow({ id: runId, taskId: task.id });
  const shown = work.connection.forRole({ taskId: task.id, role, round, runId });
  const connection = { ...shown, onRequest: follow.onRequest, sink: joinSinks([follow.sink, shown.sink]) };
  const { policy } = record.state();
  if (known === null) {
    const place = await work.places.open(task.id);
    const run = roleRun({ work: frozen, task, progress, place, rest: budgetRest(policy, record.used()) });
    return (await startRun(machine, run, connection, { id: runId, parentId: record.id })).state;
  }
  const { answer, more } = help;
  const isAnswered = answer !== null && (answer.taskId ?? task.id) === task.id && known.outcome?.name === "waiting";
  const isMore = more !== null && known.outcome?.name === "exhausted";
  const { spend, liveSpend, usedMs } = known.state;
  const change = {
    ...budgetChange(policy, record.used(), { usedMs, spend: addSpend(spend, liveSpend) }),
    ...(isMore ? { iterationsMax: known.state.iteration + more } : {}),
  };
  const order = { runId, answer: isAnswered ? answer.text : null, change };
  return (await resumeRun(machine, order, connection)).state;
}

/** The checks that the claim of a role's run rests on. */
async function checksBehind(work: Work, runId: string): Promise<string[]> {
  const run = await ownRun(work, runId);
  if (run === null) return [];
  const { state, frozen } = run;
  return checksOf({
    gates: state.policy.gates.filter(({ when }) => when !== "before-first-turn"),
    verdicts: state.facts.verdicts,
    criterion: frozen.criterion ?? null,
  });
}

/** Nothing is left to do for it; only the task has not heard of it. */
function isOver({ outcome, state }: RunRecord, { more }: WorkHelp): boolean {
  if (outcome === null) return false;
  if (isFinal(outcome)) return true;
  return outcome.name === "exhausted" ? more === null : roleEnd(state).rejected !== null;
}

function roleEnd(state: RunState): RoleEnd {
  const outcome = outcomeOf(state);
  const isRejection = outcome.name === "waiting" && state.policy.canReject;
  return { outcome, rejected: isRejection ? (state.facts.report?.claims.rejected ?? null) : null };
}

/** A run of this very work; another work's run is not gone on with. */
async function ownRun({ machine, record }: Work, runId: string | null): Promise<RunRecord | null> {
  if (runId === null) return null;
  const [run] = await machine.store.find(runId);
  return run?.id === runId && run.parentId === record.id ? run : null;
}
