import type { PolicyChange } from "../../../core/run/policy.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { newRun, type RunState } from "../../../core/run/state.ts";
import { assert } from "../../../core/assert.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { firstStep } from "../../../core/work/next-step.ts";
import { type TaskEnd, workOutcome } from "../../../core/work/work-outcome.ts";
import type { WorkOrder, WorkTask } from "../../../core/tasks/work-order.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import { withProjectCriteria } from "../../gates/project-criteria.ts";
import { requireOwnFolder } from "../../lib/project-disk.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import { newRunId } from "../../stores/run-id.ts";
import { agentOf } from "../agent-of.ts";
import type { News } from "../../perform/news.ts";
import { endLeftovers } from "../recover.ts";
import { concludeTask, notBegun } from "./conclude-task.ts";
import { type ContractedRun, freezeContract } from "../../gates/freeze-contract.ts";
import { createSlots } from "./slots.ts";
import { type Held, held, ownerOf, requireGates, type RunEnd } from "../start-run.ts";
import { forgetRepository, freezeRepository, reopenRepository } from "../freeze-repository.ts";
import { openWorkPlaces } from "../../worktrees/work-places.ts";
import { openWorkRecord } from "./work-record.ts";
import { openWorkTip } from "./work-tip.ts";
import { type PlayedTask, playTask, store, type Work, type WorkConnection, type WorkHelp } from "./work-task.ts";

/** How a work ended, with each of its tasks. */
export type WorkEnd = RunEnd & { outcome: Outcome; ends: TaskEnd[] };

/** Starts a work: a record that holds the project directory, with the roles' runs as its children. */
export async function startWork(machine: Machine, order: FrozenRun, connection: WorkConnection): Promise<WorkEnd> {
  requireOwnFolder(machine.disk, order.projectDir);
  const given = await withProjectCriteria(machine.disk, order);
  await requireRoles(machine, given);
  const policy = { ...order.policy, seed: Math.floor(machine.random() * 2 ** 31) };
  const id = newRunId(machine.clock.now(), machine.random);
  const repository = { runId: id, projectDir: order.projectDir, parentRunId: null };
  const untrackedAtStart = await freezeRepository(machine, repository);
  const begun = { ...given, policy, ...(untrackedAtStart === null ? {} : { untrackedAtStart }) };
  const frozen = await freezeTipContract(machine, begun);
  const run = {
    id,
    kind: policy.kind,
    directory: order.projectDir,
    parentId: null,
    frozen,
    state: newRun(frozen.policy),
  };
  const created = { ...run, createdAt: machine.clock.now() };
  const taken = await machine.store.create(created, await ownerOf(machine), machine.isOwnerAlive);
  if (!taken.isTaken) await forgetRepository(machine, id);
  const help = { answer: null, more: null };
  return drive(machine, held(taken), { connection, help, first: { type: "run-started" }, change: {} });
}

/** What a resume of a work may bring along. */
export type WorkResume = { runId: string; help: WorkHelp; change: PolicyChange };

/** Takes a work whose driver died or that ended before its tasks did, and goes on with every one of them. */
export async function resumeWork(machine: Machine, order: WorkResume, connection: WorkConnection): Promise<WorkEnd> {
  const taken = held(await machine.store.take(order.runId, await ownerOf(machine), machine.isOwnerAlive));
  const { id, state, frozen } = taken.record;
  await reopenRepository(machine, id, frozen.projectDir);
  const asked = await machine.store.readRequests(id, state.lastRequestSeq);
  const isCancelAsked = asked.some(({ request }) => request === "cancel");
  const missed = { isCancelAsked, lastSeq: asked.at(-1)?.seq ?? state.lastRequestSeq };
  const { change, help } = order;
  const first: News = { type: "run-resumed", lostSpend: null, answer: null, change, missed, begin: null };
  return drive(machine, taken, { connection, help, first, change });
}

/** Cancels a work whose driver is dead, and every role of it that was at work. */
export async function cancelDeadWork(machine: Machine, runId: string, connection: WorkConnection): Promise<WorkEnd> {
  await machine.store.ask(runId, "cancel", machine.clock.now());
  return resumeWork(machine, { runId, help: { answer: null, more: null }, change: {} }, connection);
}

/** What done means on a merged tip. Whether there must be a check at all is asked of each role, which has its own. */
async function freezeTipContract({ gateKinds }: Machine, frozen: FrozenRun): Promise<ContractedRun> {
  const { settings } = frozen;
  const lenient = { ...settings, completion: { ...settings.completion, requireChecks: false } };
  return { ...(await freezeContract(gateKinds, { ...frozen, settings: lenient })), settings };
}

/** Every role has an agent, and its gates whom they need, before anything begins. */
async function requireRoles(machine: Machine, work: FrozenRun): Promise<void> {
  const order = orderOf(work);
  const looked = new Set<string>();
  const place = { projectDir: work.projectDir, startCommit: null };
  const rest = { budgetUsd: null, budgetTokens: null, budgetMs: null };
  for (const task of order.tasks)
    for (const role of order.roles) {
      const progress = firstStep(null, { roles: [role], rounds: order.rounds });
      assert(progress !== null, "a role is a way of its own");
      const run = roleRun({ work, task, progress, place, rest });
      agentOf(machine, run);
      await requireGates(machine, run, looked);
    }
}

function orderOf({ work }: FrozenRun): WorkOrder {
  assert(work !== undefined, "the record of a work has its order");
  return work;
}

type Drive = { connection: WorkConnection; help: WorkHelp; first: News; change: PolicyChange };

async function drive(machine: Machine, taken: Held, { connection, help, first, change }: Drive): Promise<WorkEnd> {
  const { epoch } = taken;
  const { id, frozen } = taken.record;
  try {
    connection.onTaken({ id, isResumed: first.type === "run-resumed" });
    const children = await machine.store.list({ directory: null, limit: null, parentId: id });
    for (const child of children) if (child.outcome === null) await endLeftovers(machine, child);
    await endLeftovers(machine, taken.record);
    const begun = await begin(machine, taken, { first, change });
    const order = orderOf(frozen);
    const record = openWorkRecord(machine, { ...taken, record: begun }, { children, ...connection });
    const processes = processesOf(machine, frozen.settings);
    const places = openWorkPlaces({ ...machine, processes }, { projectDir: frozen.projectDir, runId: id, order });
    // The work of an earlier version froze none: its settings, frozen with it, give the same.
    const contract = frozen.contract ?? (await freezeTipContract(machine, frozen)).contract;
    const tip = openWorkTip(machine, begun, { record, contract });
    const work: Work = { machine, frozen, order, record, connection, places, tip, help };
    if (first.type === "run-started") await warnOfMissingSpecs(work);
    const ends = await playAll(work);
    await nameUnverified(work, ends);
    const outcome = workOutcome(ends, record.asked());
    return { id, state: await record.end(outcome), outcome, ends };
  } finally {
    await machine.store.release(id, epoch).catch(() => {});
  }
}

/** Stores that the work begins or goes on. A cancel that came while nobody drove it is heard by the record. */
async function begin(
  { store: runs, clock }: Machine,
  { record, epoch }: Held,
  { first, change }: { first: News; change: PolicyChange },
): Promise<RunRecord> {
  const moment = { at: clock.now(), upMs: clock.upMs() };
  const state: RunState = {
    ...record.state,
    policy: { ...record.state.policy, ...change },
    lastUpMs: moment.upMs,
    isPauseAsked: false,
    isHeld: false,
    isInterruptAsked: false,
    isCancelAsked: record.state.isCancelAsked || (first.type === "run-resumed" && first.missed?.isCancelAsked === true),
    outcome: null,
    pending: null,
  };
  await runs.commit({
    runId: record.id,
    epoch,
    at: moment.at,
    observation: { ...first, ...moment },
    state,
    effects: [],
  });
  return { ...record, state };
}

/**
 * Each task waits for what it depends on and for a slot. Merges happen one at a time, in the order of the tasks, each
 * verified before the next one.
 */
async function playAll(work: Work): Promise<TaskEnd[]> {
  const slots = createSlots(work.order.jobs);
  const ends = new Map<string, Promise<TaskEnd>>();
  for (const task of work.order.tasks) {
    const earlier = Array.from(ends.values());
    const needed = task.dependencies.flatMap((id) => ends.get(id) ?? []);
    ends.set(task.id, leadTask(work, task, { earlier, needed, slots }));
  }
  return Promise.all(ends.values());
}

type Queue = {
  earlier: Promise<TaskEnd>[];
  needed: Promise<TaskEnd>[];
  slots: ReturnType<typeof createSlots>;
};

async function leadTask(work: Work, task: WorkTask, { earlier, needed, slots }: Queue): Promise<TaskEnd> {
  const missing = (await Promise.all(needed)).filter(({ status }) => status !== "done").map(({ id }) => id);
  if (missing.length > 0) return told(work, notBegun(task, `waits for ${missing.join(", ")}`));
  try {
    return told(work, await playToItsEnd(work, task, { earlier, slots }));
  } catch (cause) {
    const end = await failTask(work, task, cause).catch((fault: unknown) => {
      work.record.fail(fault);
      return notBegun(task, String(fault));
    });
    return told(work, end);
  }
}

/**
 * Plays a task until it stays where it is: a red tip gives its coder another turn. In the project directory the next task
 * would change the tip, so a task keeps its slot until it is verified.
 */
async function playToItsEnd(work: Work, task: WorkTask, { earlier, slots }: Omit<Queue, "needed">): Promise<TaskEnd> {
  const untilConcluded = async (play: () => Promise<PlayedTask>): Promise<TaskEnd> => {
    for (;;) {
      const end = await concludeTask(work, task, await play());
      if (end !== null) return end;
    }
  };
  if (work.order.worktrees === null) return slots.use(() => untilConcluded(() => playTask(work, task)));
  return untilConcluded(async () => {
    const played = await slots.use(() => playTask(work, task));
    await Promise.all(earlier);
    return played;
  });
}

/** What a person can mend fails this task alone; a fault of the store ends the work. */
async function failTask(work: Work, task: WorkTask, cause: unknown): Promise<TaskEnd> {
  const isOfTask =
    cause instanceof RalphError &&
    ["scm", "locked", "agent", "settings", "prompt", "file", "contract"].includes(cause.code);
  if (!isOfTask) {
    work.record.fail(cause);
    return notBegun(task, String(cause));
  }
  const reason = [cause.message, cause.hint ?? ""].join(" ").trim();
  const now = await work.machine.store.getTask(work.frozen.projectDir, task.id);
  const progress = now?.progress ?? null;
  const note = `failed: ${reason}`;
  await store(work, task, { status: "ready", progress: progress === null ? null : { ...progress, note } });
  return { id: task.id, status: "ready", outcome: { name: "failed", reason }, reason };
}

function told({ connection }: Work, end: TaskEnd): TaskEnd {
  connection.onTaskEnd(end);
  return end;
}

async function warnOfMissingSpecs({ record, order, frozen }: Work): Promise<void> {
  const how = frozen.settings.missingSpec === "single-pass" ? "each role runs once" : "default criteria are used";
  for (const { id, completion } of order.tasks)
    if (completion === null) await record.note("warning", `Task ${id} does not say what done means: ${how}.`);
}

/** A task without any check rests on the agents' word alone, whether or not it says what done means (CW-2E). */
async function nameUnverified({ record }: Work, ends: readonly TaskEnd[]): Promise<void> {
  const names = ends.filter(({ outcome }) => outcome?.isVerified === false).map(({ id }) => id);
  if (names.length > 0)
    await record.note("warning", `Done on the agents' word alone, unverified: ${names.join(", ")}.`);
}
