import { isWaitOver } from "../../core/supervise/supervised-turn.ts";
import { newRun, type RunBegin, type RunStart, type RunState } from "../../core/run/state.ts";
import type { Request } from "../../core/run/observation.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { PolicyChange } from "../../core/run/policy.ts";
import { inlineCharsMax, type TextRef } from "../../core/verification/verdict.ts";
import { assert } from "../../core/assert.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { describeRevision } from "../../core/prd/revision.ts";
import { sealedGateId } from "../../core/contract/sealed.ts";
import type { TurnRole } from "../../core/contract/assignment.ts";
import type { Machine } from "../machine.ts";
import type { RunRecord } from "../ports.ts";
import { priceFinder } from "../agents/price-finder.ts";
import { createProjectDisk, requireOwnFolder } from "../lib/project-disk.ts";
import type { RunSink } from "../sinks/sink.ts";
import { processesOf } from "../processes/redacting-processes.ts";
import { newRunId } from "../stores/run-id.ts";
import { openPrd } from "../prd/open-prd.ts";
import { openTaskList } from "../prd/prd-work.ts";
import { openRevisedList, peoplesList, requireConsent, type RevisedList } from "../prd/revised-list.ts";
import { createAbandonableProcesses } from "./abandonable-processes.ts";
import { agentOf, type ChosenAgent, isRunGuarded } from "./agent-of.ts";
import { withProjectCriteria } from "../gates/project-criteria.ts";
import { freezeContract } from "../gates/freeze-contract.ts";
import type { GateContext, OwnGates } from "../gates/gate-kind.ts";
import { openGates } from "../gates/open-gates.ts";
import { prepareGates } from "../gates/prepare-gates.ts";
import { ownChildren } from "../gates/children.ts";
import { askChildren } from "../supervise/ask-children.ts";
import { endTask } from "../supervise/end-of-task.ts";
import { createSupervisedPerform } from "../supervise/perform-supervised.ts";
import { openSupervision, type SupervisedNews } from "../supervise/supervision.ts";
import { taskFolderAt } from "../supervise/records/task-folder.ts";
import { requireGit } from "../delivery/require-git.ts";
import { createEventBuffer, type EventBuffer } from "../perform/event-buffer.ts";
import { forgetRepository, freezeRepository, reopenRepository } from "./freeze-repository.ts";
import { keepOutOfGit } from "../lib/keep-out-of-git.ts";
import { noteReceipt } from "./keep-receipt.ts";
import { holdRun, noteOf } from "./hold-run.ts";
import { containmentNotes, openingNotes } from "./opening-notes.ts";
import { driveRun, type OuterDriver } from "./outer-driver.ts";
import type { News } from "../../core/run/news.ts";
import { createPerform } from "../perform/perform.ts";
import { closeLeftRuns, endLeftovers, lostSpend } from "./recover.ts";
import { reopenSeal, runSealOf, sealRun, type Told } from "./seal-run.ts";
import type { AskGate, RunContext } from "../run-context.ts";
import { missedRequests } from "./missed-requests.ts";
import { createRun, type Held, held, takeRun } from "./take-lease.ts";

/** A run that begins or continues. `isGuarded` says whether a guard judges the commands of its agents; null: nobody asks. */
export type TakenRun = { id: string; isResumed: boolean; isGuarded: boolean | null };

/**
 * How a surface listens to a run and speaks to it.
 *
 * @example
 * ```ts
 * import { type RunConnection } from "ralph";
 *
 * const quiet: RunConnection = {
 *   sink: { entry: () => {}, agentEvent: () => {} },
 *   onRequest: () => () => {},
 *   onCheck: () => {},
 *   onStderr: () => undefined,
 *   onTaken: () => {},
 * };
 * console.log(Object.keys(quiet).length);
 * ```
 */
export type RunConnection = {
  sink: RunSink;
  onRequest: (listener: (request: Request, because?: Outcome) => void) => () => void;
  onCheck: RunContext["onCheck"];
  onPrompt?: (prompt: string) => void;
  onStderr: RunContext["onStderr"];
  /** Told just before the run is stored or taken: from here on a signal to this process is a request to the run. */
  onTaking?: () => void;
  /** Told what is done while a run is sealed, before it is stored. */
  onSealing?: (line: string) => void;
  /** Told once, before anything starts. */
  onTaken: (run: TakenRun) => void;
  /** Told of messages and waits of a supervised task. Must not throw. */
  onSupervised?: (news: SupervisedNews) => void;
};

/**
 * A run that ended, or was ended by a fault of the store (then it rejects).
 *
 * @example
 * ```ts
 * import { type RunEnd } from "ralph";
 *
 * const word = ({ id, state }: RunEnd): string => `${id}: ${state.outcome?.name ?? "no outcome"}`;
 * console.log(typeof word);
 * ```
 */
export type RunEnd = { id: string; state: RunState };

/** A run that gets its id from elsewhere. `seal`: how it is sealed, where it has its seal from the run that it belongs to. */
export type ChildRun = { id: string; parentId: string | null; seal?: typeof sealRun };

/** Starts a new run in its project directory and drives it to its outcome. */
export async function startRun(
  machine: Machine,
  order: FrozenRun,
  connection: RunConnection,
  child: ChildRun | null = null,
): Promise<RunEnd> {
  requireOwnFolder(machine.disk, order.projectDir);
  agentOf(machine, order);
  const given = await withProjectCriteria(machine.disk, order);
  const policy = { ...order.policy, seed: Math.floor(machine.random() * 2 ** 31) };
  const contracted = await freezeContract(machine.gateKinds, { ...given, policy });
  await requireGates(machine, contracted);
  const id = child?.id ?? newRunId(machine.clock.now(), machine.random);
  const repository = { runId: id, projectDir: order.projectDir, parentRunId: child?.parentId ?? null };
  const untrackedAtStart = await freezeRepository(machine, repository);
  const frozen = { ...contracted, ...(untrackedAtStart === null ? {} : { untrackedAtStart }) };
  const began = await startOf(machine, id, frozen);
  const sealing = { runId: id, frozen, tell: connection.onSealing ?? (() => {}) };
  const seal = await (child?.seal ?? sealRun)(machine, sealing).catch(async (error: unknown) => {
    await forgetRepository(machine, id);
    throw error;
  });
  const begin = seal === null ? began : { ...began, slots: { ...began.slots, [sealedGateId]: seal } };
  const run = {
    id,
    kind: policy.kind,
    directory: frozen.supervised?.taskDir ?? frozen.projectDir,
    parentId: repository.parentRunId,
    frozen,
    state: { ...newRun(frozen.policy), ...begin },
  };
  connection.onTaking?.();
  const taken = await createRun(machine, { ...run, createdAt: machine.clock.now() });
  if (!taken.isTaken) await forgetRepository(machine, id);
  return drive(machine, held(taken), connection, () => Promise.resolve(startNews(begin)));
}

/** The first news of a run. Only a run that begins with more than its policy says so. */
function startNews(begin: RunStart): News {
  return Object.keys(begin).length === 0 ? { type: "run-started" } : { type: "run-started", begin };
}

/** What a resume may bring along. */
export type ResumeOptions = {
  runId: string;
  answer: string | null;
  change: PolicyChange;
  /** People's edits of a task list may remove checks. */
  areEditsAccepted?: boolean;
  /** Changed tests and lock files in dispute that become base: `all`, or paths. */
  acceptedTests?: readonly string[];
};

/** Takes a dead or ended run, ends what its driver left alive, and continues where it stopped. */
export async function resumeRun(machine: Machine, options: ResumeOptions, connection: RunConnection): Promise<RunEnd> {
  connection.onTaking?.();
  const taken = await takeRun(machine, options.runId);
  const told = { ...options, tell: connection.onSealing ?? (() => {}) };
  return drive(machine, taken, connection, () => resumeNews(machine, taken.record, told));
}

/** Ends what the former driver left, and finds out with what the run continues. */
async function resumeNews(machine: Machine, record: RunRecord, options: ResumeOptions & Told): Promise<News> {
  const left = await endLeftovers(machine, record);
  if (left.ended > 0) await note(machine, record, `Ended ${left.ended} processes the former driver left behind.`);
  await closeLeftRuns(machine, record.frozen);
  const lock = await reopenRepository(machine, record.id, record.frozen.projectDir);
  if (lock !== null) await note(machine, record, `Removed ${lock}, which the former driver's git had left.`);
  const { pending } = record.state;
  const role = pending?.type === "begin-turn" ? (pending.assignment?.role ?? null) : null;
  const agent = agentOf(machine, record.frozen, role);
  const priceOf = priceFinder({ ...agent, adapters: machine.agents.known, settings: record.frozen.settings });
  const spend = await lostSpend({ artefacts: machine.artefacts, ...agent, priceOf }, record);
  const missed = await missedRequests(machine, record);
  const { isCancelAsked } = missed;
  const accepted = isCancelAsked ? null : await reopenSeal(machine, record, options);
  if (accepted !== null) await note(machine, record, accepted.remark);
  const said = [accepted?.answer ?? "", options.answer ?? ""].filter((text) => text !== "").join(" ");
  const answer = said === "" ? null : await keepText(machine, said);
  if (!isCancelAsked) await requireGates(machine, record.frozen);
  const revised = isCancelAsked ? null : await revisedListOf(machine, record, options);
  const revision = revised?.revision ?? null;
  if (revision !== null) await note(machine, record, describeRevision(revision));
  const change = { ...options.change, ...revised?.change };
  const { supervised } = record.frozen;
  if (supervised !== undefined && isWaitOver(record.outcome?.name ?? null, isCancelAsked))
    machine.disk.remove(taskFolderAt(supervised.taskDir).waitFile);
  return {
    type: "run-resumed",
    lostSpend: spend,
    answer,
    change,
    missed,
    begin: joinedBegin(accepted?.begin ?? null, revised?.begin ?? null),
    ...(revision === null ? {} : { revision }),
  };
}

/** People may accept changed tests and leave another task list in one go. */
function joinedBegin(accepted: RunBegin | null, revised: RunBegin | null): RunBegin | null {
  if (accepted === null || revised === null) return revised ?? accepted;
  return { ...revised, slots: { ...accepted.slots, ...revised.slots } };
}

/** Checks that every program the gates and the delivery of a run need is there, as far as that can be seen before a turn. */
export async function requireGates(
  machine: Machine,
  frozen: FrozenRun,
  looked: Set<string> = new Set(),
): Promise<void> {
  await requireGit({ ...machine, projectDir: frozen.projectDir, looked }, frozen.settings.scm);
  const contract = frozen.contract ?? (await freezeContract(machine.gateKinds, frozen)).contract;
  await prepareGates(machine.gateKinds, contract, { ...machine, ...agentOf(machine, frozen), frozen, looked });
}

/** What a run begins with: the task list of a run that has one, as people left it, and since when time counts. */
async function startOf(machine: Machine, runId: string, frozen: FrozenRun): Promise<RunStart> {
  const { prd } = frozen;
  const place = { ...machine, runId, keepText: (text: string) => keepText(machine, text) };
  const list = prd === undefined ? {} : await openTaskList({ ...place, frozen: { ...frozen, prd } });
  // The program may be older than the run: a role begins late in a work run, and a library in another program.
  return { ...list, lastUpMs: machine.clock.upMs() };
}

/** The task list as people left it; null when an agent was at it since it was last in order. */
async function revisedListOf(
  machine: Machine,
  { id: runId, frozen, state }: RunRecord,
  { areEditsAccepted = false }: ResumeOptions,
): Promise<RevisedList | null> {
  const { prd } = frozen;
  const known = peoplesList(state);
  if (prd === undefined || known === null) return null;
  const place = { ...machine, runId, frozen: { ...frozen, prd }, keepText: (text: string) => keepText(machine, text) };
  const revised = await openRevisedList(place, known, state.policy.contract.revision);
  if (!areEditsAccepted) requireConsent(revised.revision, runId);
  return revised;
}

/** Cancels a run whose driver is dead: ends the leftovers and writes the outcome. */
export async function cancelDeadRun(machine: Machine, runId: string, connection: RunConnection): Promise<RunEnd> {
  await machine.store.ask(runId, "cancel", machine.clock.now());
  return resumeRun(machine, { runId, answer: null, change: {} }, connection);
}

/** Drives a taken run to its outcome and gives it up, also when it cannot begin. */
function drive(machine: Machine, taken: Held, given: RunConnection, open: () => Promise<News>): Promise<RunEnd> {
  return holdRun(machine, taken, given.sink, async ({ sink, lost }) => {
    const lease = { runId: taken.record.id, epoch: taken.epoch };
    return driveHeld(machine, { record: taken.record, lease, lost }, { ...given, sink }, await open());
  });
}

type HeldRun = { record: RunRecord; lease: { runId: string; epoch: number }; lost: Promise<unknown> };

async function driveHeld(
  machine: Machine,
  { record, lease, lost }: HeldRun,
  connection: RunConnection,
  first: News,
): Promise<RunEnd> {
  const isResumed = first.type === "run-resumed";
  connection.onTaken({ id: record.id, isResumed, isGuarded: isRunGuarded(machine, record.frozen) });
  const processes = processesOf(machine, record.frozen.settings);
  const own = createAbandonableProcesses({ ...machine, processes }, record);
  const seal = runSealOf({ ...machine, processes: own.processes }, record, first);
  const sealed = seal === undefined ? {} : { seal };
  const context = { ...contextOf(machine, record, connection), processes: own.processes, ...sealed };
  const events = createEventBuffer(machine.store, machine.clock, lease);
  const { clock, store } = machine;
  const run = { id: record.id, epoch: lease.epoch };
  try {
    const ignoreFault = await keepOutOfGit(context.disk, record.frozen);
    if (ignoreFault !== null) await context.note("warning", ignoreFault);
    const { sink, onRequest } = connection;
    const work = await workOf(machine, { context, events, record, isResumed, tell: connection.onSupervised });
    const notes = isResumed ? [] : openingNotes(record);
    // A work run says it once for all of its roles.
    if (record.parentId === null) notes.push(...(await containmentNotes(machine.processes, record.frozen)));
    for (const each of notes) await context.note(each.level, each.text);
    const { perform, beforeGoOn } = work;
    const backstop = { ...own, note: context.note };
    const driver = { clock, store, sink, perform, run, onRequest, backstop, lost };
    const state = await driveRun(
      { ...driver, ...(beforeGoOn === undefined ? {} : { beforeGoOn }) },
      record.state,
      first,
    );
    await work.conclude(state);
    if (seal !== undefined) await noteReceipt(machine, { record, state, seal }, context.note);
    return { id: record.id, state };
  } finally {
    await seal?.close();
    const fault = await events.close();
    if (fault !== null) await context.note("warning", fault);
  }
}

/** How the effects of a run are carried out, and what is left to do when it has ended. */
type Work = Pick<OuterDriver, "perform" | "beforeGoOn"> & { conclude: (state: RunState) => Promise<void> };

type OpenedRun = {
  context: GateContext["context"];
  events: EventBuffer;
  record: RunRecord;
  isResumed: boolean;
  tell: RunConnection["onSupervised"];
};

async function workOf(machine: Machine, { context, events, record, isResumed, tell }: OpenedRun): Promise<Work> {
  const { supervised: task, prd, contract } = context.frozen;
  assert(contract !== undefined, "a stored run has its contract");
  const gatesOf = (own: OwnGates): AskGate => openGates(machine.gateKinds, contract, { context, tools: machine, own });
  if (prd !== undefined) {
    const agentOfRole = (role: TurnRole): ChosenAgent => agentOf(machine, context.frozen, role);
    return openPrd(context, prd, { events, agentOfRole, gatesOf, gateKinds: machine.gateKinds, state: record.state });
  }
  if (task === undefined) {
    const askGate = gatesOf({});
    return { perform: createPerform({ ...context, askGate }, events), conclude: () => Promise.resolve() };
  }
  const { disk, clock, liveness, processes, killGraceMs, selfArgv } = machine;
  const supervision = openSupervision({
    task,
    disk,
    clock,
    world: liveness,
    identities: processes,
    note: context.note,
    tell,
  });
  const ending = { processes, killGraceMs };
  const askGate = gatesOf(ownChildren((order) => askChildren(supervision, ending, order)));
  const run = { createdAt: record.createdAt, isUnbegun: record.state.iteration === 0 };
  const tools = { supervision, task, events, isResumed, run, selfArgv };
  return {
    perform: createSupervisedPerform({ ...context, askGate }, tools),
    conclude: (state) => endTask(supervision, state, ending),
  };
}

/** Everything the gates of a run share, as far as it is the same for every kind of run. */
export function contextOf(machine: Machine, record: RunRecord, connection: RunConnection): GateContext["context"] {
  const { projectDir } = record.frozen;
  const remark = noteOf(machine, record, connection.sink);
  const { requireProgress, unchangedMax } = record.state.policy;
  const looksAtTree = requireProgress || unchangedMax !== null;
  return {
    runId: record.id,
    frozen: record.frozen,
    ...machine,
    disk: createProjectDisk(machine.disk, projectDir, (reason) => void remark("warning", reason)),
    adapters: machine.agents.known,
    ...agentOf(machine, record.frozen),
    sink: connection.sink,
    keepText: (text) => keepText(machine, text),
    fingerprint: (effectId) => {
      const caller = { runId: record.id, turnMarker: `${record.id}.${effectId}` };
      return looksAtTree ? machine.fingerprint(projectDir, caller) : Promise.resolve(null);
    },
    note: remark,
    onCheck: connection.onCheck,
    ...(connection.onPrompt === undefined ? {} : { onPrompt: connection.onPrompt }),
    onStderr: connection.onStderr,
  };
}

/** Keeps a text as the state names it: a short one in place. */
export async function keepText(machine: Machine, text: string): Promise<TextRef> {
  return text.length <= inlineCharsMax ? { text } : { blob: await machine.store.putBlob(text) };
}

/** A remark is worth keeping, but never worth a run. */
async function note({ store, clock }: Machine, { id: runId, epoch }: RunRecord, text: string): Promise<void> {
  await store.note({ runId, epoch, at: clock.now(), level: "info", text }).catch(() => {});
}
