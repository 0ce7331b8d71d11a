import type { Contract } from "../../../core/contract/contract.ts";
import { unsealedNote } from "../../../core/contract/sealed.ts";
import type { PolicyChange } from "../../../core/run/policy.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { assert } from "../../../core/assert.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { decideWork } from "../../../core/work/decide-work.ts";
import { firstStep } from "../../../core/work/next-step.ts";
import { openWorkState } from "../../../core/work/open-work-state.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import type { TaskEnd } from "../../../core/work/work-outcome.ts";
import { endsOf, newWork, type WorkState } from "../../../core/work/work-state.ts";
import type { WorkPlan } from "../../../core/tasks/work-plan.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import { withProjectCriteria } from "../../gates/project-criteria.ts";
import { requireOwnFolder } from "../../lib/project-disk.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import type { RunContext } from "../../run-context.ts";
import { newRunId } from "../../stores/run-id.ts";
import { agentOf, isRunGuarded } from "../agent-of.ts";
import { driveEngine, type NewsOf } from "../drive-engine.ts";
import { holdRun } from "../hold-run.ts";
import { containmentNotes } from "../opening-notes.ts";
import { outcomeOf } from "../outer-driver.ts";
import { endLeftovers } from "../recover.ts";
import { contractSources, freezeContract } from "../../gates/freeze-contract.ts";
import { sealRun } from "../seal-run.ts";
import { keepText, requireGates, type RunEnd } from "../start-run.ts";
import { missedRequests } from "../missed-requests.ts";
import { createRun, type Held, held, takeRun } from "../take-lease.ts";
import { forgetRepository, freezeRepository, reopenRepository } from "../freeze-repository.ts";
import { openWorkPlaces, type WorkPlaces } from "../../worktrees/work-places.ts";
import { freezeMainTree } from "../../worktrees/main-tree.ts";
import { openTipGates } from "./ask-tip.ts";
import { findTasks, foundRole, rulesOf } from "./found-work.ts";
import { createWorkPerform } from "./perform-work.ts";
import { createPublisher, nameEdited } from "./publish-tasks.ts";
import { createRoleRuns } from "./role-runs.ts";
import type { MountedSinks } from "../../sinks/mount-sinks.ts";
import type { WorkConnection } from "./work-connection.ts";
import { openWorkSeal, type WorkSeal } from "./work-seal.ts";

/** How a work run ended, with each of its tasks. */
export type WorkEnd = RunEnd & { outcome: Outcome; ends: TaskEnd[] };

/** What a start may bring along; `whenHeld` is awaited once the run holds the project, before it looks at its tasks. */
export type WorkStart = { id?: string; whenHeld?: () => Promise<void> };

/** Starts a work run: it holds the project directory, and its role runs are its children. */
export async function startWork(
  machine: Machine,
  order: FrozenRun,
  connection: WorkConnection,
  { id = newRunId(machine.clock.now(), machine.random), whenHeld = () => Promise.resolve() }: WorkStart = {},
): Promise<WorkEnd> {
  requireOwnFolder(machine.disk, order.projectDir);
  const given = await withProjectCriteria(machine.disk, order);
  await requireRoles(machine, given);
  const policy = { ...order.policy, seed: Math.floor(machine.random() * 2 ** 31) };
  const begun = await freezeContract(machine.gateKinds, { ...given, policy });
  const repository = { runId: id, projectDir: order.projectDir, parentRunId: null };
  const untrackedAtStart = await freezeRepository(machine, repository);
  const contracted = { ...begun, ...(untrackedAtStart === null ? {} : { untrackedAtStart }) };
  if (orderOf(given).worktrees !== null) await freezeMainTree(machine, { runId: id, projectDir: order.projectDir });
  const sealing = { runId: id, frozen: contracted, tell: connection.onSealing ?? (() => {}) };
  const seal = await sealRun(machine, sealing).catch(async (error: unknown) => {
    await forgetRepository(machine, id);
    throw error;
  });
  const frozen = seal === null ? contracted : { ...contracted, work: { ...orderOf(given), seal: seal.hash } };
  const run = {
    id,
    kind: policy.kind,
    directory: order.projectDir,
    parentId: null,
    frozen,
    state: newWork(frozen.policy),
  };
  const created = { ...run, createdAt: machine.clock.now() };
  connection.onTaking?.();
  const taken = await createRun(machine, created);
  if (!taken.isTaken) await forgetRepository(machine, id);
  return drive(machine, held(taken), { connection, resume: null, whenHeld });
}

/** What a person brought along when the work run is resumed: an answer for one task, and more iterations. */
export type WorkHelp = {
  answer: { taskId: string | null; text: string } | null;
  more: number | null;
  /** Changed tests in dispute that become base, and for which task. */
  accepted?: { taskId: string | null; names: string[] };
};

/** What a resume of a work run may bring along. */
export type WorkResume = { runId: string; help: WorkHelp; change: PolicyChange };

/** Takes a work run whose driver died or that ended before its tasks did, and continues each of them. */
export async function resumeWork(machine: Machine, order: WorkResume, connection: WorkConnection): Promise<WorkEnd> {
  connection.onTaking?.();
  const taken = await takeRun(machine, order.runId);
  return drive(machine, taken, { connection, resume: order });
}

/** Cancels a work run whose driver is dead, and every role of it that was at work. */
export async function cancelDeadWork(machine: Machine, runId: string, connection: WorkConnection): Promise<WorkEnd> {
  await machine.store.ask(runId, "cancel", machine.clock.now());
  return resumeWork(machine, { runId, help: { answer: null, more: null }, change: {} }, connection);
}

/** What done means on a merged tip, for a work run that has begun: whether there must be a check is asked at its start. */
async function tipContract({ gateKinds }: Machine, frozen: FrozenRun): Promise<Contract> {
  const { settings } = frozen;
  const begun = { ...settings, completion: { ...settings.completion, requireChecks: false } };
  return (await freezeContract(gateKinds, { ...frozen, settings: begun })).contract;
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

function orderOf({ work }: FrozenRun): WorkPlan {
  assert(work !== undefined, "a work run has its order");
  return work;
}

type Drive = { connection: WorkConnection; resume: WorkResume | null; whenHeld?: () => Promise<void> };
type Resume = WorkResume & { missed: Resumed["missed"] };
type Resumed = Extract<WorkObservation, { type: "work-resumed" }>;

function drive(machine: Machine, taken: Held, { connection, resume: order, whenHeld }: Drive): Promise<WorkEnd> {
  const { record, epoch } = taken;
  const { id, frozen } = record;
  return holdRun(machine, taken, remarksTo(connection), async ({ sink: sinks, note, lost }) => {
    await whenHeld?.();
    if (order !== null) await reopenRepository(machine, id, frozen.projectDir);
    // A work run of an earlier version remembers its main work tree from now on.
    if (order !== null && orderOf(frozen).worktrees !== null)
      await freezeMainTree(machine, { runId: id, projectDir: frozen.projectDir });
    const resume = order === null ? null : { ...order, missed: await missedRequests(machine, record) };
    // Whoever cancels a run needs no seal.
    const seal = resume?.missed.isCancelAsked === true ? null : await openWorkSeal(machine, record, note);
    connection.onTaken({ id, isResumed: resume !== null, isGuarded: isRunGuarded(machine, frozen) });
    const children = await machine.store.list({ directory: null, limit: null, parentId: id });
    for (const child of children) if (child.outcome === null) await endLeftovers(machine, child);
    await endLeftovers(machine, record);
    // A work run of an earlier version froze no contract: its settings, frozen with it, give the same.
    const contract = frozen.contract ?? (await tipContract(machine, frozen));
    const processes = processesOf(machine, frozen.settings);
    const place = { projectDir: frozen.projectDir, runId: id, order: orderOf(frozen) };
    const places = openWorkPlaces({ ...machine, processes }, place);
    if (resume === null) await warnAtStart(frozen, seal, note);
    for (const each of await containmentNotes(machine.processes, frozen)) await note(each.level, each.text);
    const start = { contract, places, children, seal, note, sinks };
    try {
      const state = await driveWork(machine, record, { connection, resume, epoch, lost, ...start });
      await nameUnverified(endsOf(state), note);
      await nameUnsealed(frozen, seal, note);
      await nameEdited({ machine, projectDir: frozen.projectDir, order: orderOf(frozen), note }, endsOf(state));
      return { id, state, outcome: outcomeOf(state), ends: endsOf(state) };
    } finally {
      await seal?.close();
    }
  });
}

type Started = {
  connection: WorkConnection;
  resume: Resume | null;
  epoch: number;
  lost: Promise<unknown>;
  contract: Contract;
  places: WorkPlaces;
  children: RunRecord[];
  seal: WorkSeal | null;
  note: RunContext["note"];
  sinks: MountedSinks;
};

/** Lets the one driver of engines perform the engine of work runs. */
async function driveWork(machine: Machine, record: RunRecord, started: Started): Promise<WorkState> {
  const { connection, epoch, lost, contract, places, seal, note, sinks } = started;
  const { id, frozen, state } = record;
  const order = orderOf(frozen);
  const opened = openWorkState(state);
  if ("problem" in opened)
    throw new RalphError("store", `Run ${id} cannot be used: ${opened.problem}.`, "Start a new one with `ralph work`.");
  const roles = createRoleRuns({ machine, work: record, connection, seal });
  const askTip = openTipGates(machine, record, { contract, note, seal });
  const publish = createPublisher({ machine, projectDir: frozen.projectDir, order, connection, note });
  return driveEngine(
    {
      clock: machine.clock,
      store: machine.store,
      runId: id,
      decide: decideWork,
      perform: createWorkPerform({ machine, order, places, roles, askTip, seal, note }),
      // The tasks first: nobody would write them after the end of the run. A resume takes them as they are found.
      commit: async (step) => {
        await publish(step.state);
        await machine.store.commit({ runId: id, epoch, kind: "work-step", ...step });
      },
      onStored: ({ at, observation, effects, state: stored }) =>
        sinks.entry({ kind: "work-step", at, observation, effects }, stored),
      onRequest: connection.onRequest,
      lost,
      // Each role run has its own, and git is never cut short.
      openBackstop: null,
    },
    opened.state,
    await firstNews(machine, record, { ...started, isTakenOver: opened.isTakenOver }),
  );
}

/** The work run begins or continues with the present state of everything. */
async function firstNews(
  machine: Machine,
  { frozen, state }: RunRecord,
  { resume, contract, places, children, isTakenOver }: Started & { isTakenOver: boolean },
): Promise<NewsOf<WorkObservation>> {
  const order = orderOf(frozen);
  const rules = rulesOf(order, contract);
  const tasks = await findTasks(machine.store, { projectDir: frozen.projectDir, order, places });
  const place = await places.place();
  const tip = place === null ? {} : { tip: place };
  if (resume === null) return { type: "work-started", rules, tasks, ...tip };
  const { change, missed, help } = resume;
  const { answer, ...others } = help;
  const kept = answer === null ? null : { ...answer, text: await keepText(machine, answer.text) };
  const roles = children.map(foundRole);
  return {
    type: "work-resumed",
    rules,
    tasks,
    roles,
    help: { answer: kept, ...others },
    change,
    missed,
    ...tip,
    ...(isTakenOver ? { takenOver: state } : {}),
  };
}

/** What a surface hears of a work run beside its requests: remarks. Steps are the sinks' alone. */
function remarksTo({ onNote }: Pick<WorkConnection, "onNote">): MountedSinks {
  return {
    entry: (entry) => {
      if (entry.kind === "note") onNote(entry.level, entry.text);
    },
    agentEvent: () => {},
  };
}

async function warnAtStart(frozen: FrozenRun, seal: WorkSeal | null, note: RunContext["note"]): Promise<void> {
  if (seal !== null)
    await note(
      "info",
      `Checks are sealed: those of every role's claims and of merged tips (seal ${seal.hash.slice(0, 12)}).`,
    );
  const unsealed = unsealedNote(contractSources(frozen));
  if (unsealed !== null) await note("warning", unsealed);
  const how = frozen.settings.missingSpec === "single-pass" ? "each role runs once" : "default criteria are used";
  for (const { id, completion } of orderOf(frozen).tasks)
    if (completion === null) await note("warning", `Task ${id} does not say what done means: ${how}.`);
}

/** Whoever asked for sealed checks hears at the end, too, that there were none. */
async function nameUnsealed(frozen: FrozenRun, seal: WorkSeal | null, note: RunContext["note"]): Promise<void> {
  const unsealed = seal === null ? unsealedNote(contractSources(frozen)) : null;
  if (unsealed !== null) await note("warning", unsealed);
}

/** A task without any check rests on the agents' word alone, whether or not it says what done means (CW-2E). */
async function nameUnverified(ends: readonly TaskEnd[], note: RunContext["note"]): Promise<void> {
  const names = ends.filter(({ outcome }) => outcome?.isVerified === false).map(({ id }) => id);
  if (names.length > 0) await note("warning", `Done on the agents' word alone, unverified: ${names.join(", ")}.`);
}
