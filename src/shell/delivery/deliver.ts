import { addSpend, noSpend } from "../../core/agents/spend.ts";
import type { DeliveryOf } from "../../core/run/effect.ts";
import { dueTasks, isFinalTask } from "../../core/settings/run/delivery-task.ts";
import type { RunContext } from "../run-context.ts";
import { commit } from "./commit.ts";
import type { Delivery, TaskDone } from "./delivery.ts";
import { type DeliveryRecord, newDelivery, readDelivery, writeDelivery } from "./delivery-record.ts";
import { nameMovedHead } from "./moved-head.ts";
import { openPullRequest } from "./pull-request.ts";
import { headTree } from "../git/trees/candidate.ts";
import { openDeliveryGit } from "../git/delivery-git.ts";
import { findLock, type IndexLockContext, withIndexNote } from "../git/index-lock.ts";
import { describeFailure, runTool, type Tool } from "../git/run-tool.ts";
import { batchSsh } from "./batch-ssh.ts";
import { lookAtCandidate } from "./run-candidate.ts";

/**
 * What a delivery did. A problem never ends the run: the work stays in the tree (CW-1J). `tree` is that of HEAD
 * afterwards, to be compared with what was checked; null when the delivery failed or was cut. `isUncommitted`: a commit was
 * wanted and is not there.
 */
export type Delivered = TaskDone & {
  tree: string | null;
  isCut: boolean;
  isUncommitted: boolean;
  differing?: string[];
};

/** What is delivered, and when. */
export type DeliveryRequest = { id: number; iteration: number; of: DeliveryOf; candidate: string | null };

/** Longest problem kept: it is part of the state and of a sentence people read. */
const problemCharsMax = 500;

/**
 * Runs the tasks of `scm` in order by argv, never by a shell (S1-63, CW-1F). The first failure ends the delivery.
 * Does not reject: what went wrong is a problem in one sentence.
 */
export async function deliver(context: RunContext, request: DeliveryRequest, signal: AbortSignal): Promise<Delivered> {
  const { scm } = context.frozen.settings;
  const isFinal = request.of === "completion";
  const look = isFinal ? await lookAtCandidate(context, `${context.runId}.${request.id}`, request.candidate) : null;
  const isRefused = look !== null && request.candidate !== null && look.tree !== request.candidate;
  if (isFinal && !isRefused) await nameMovedHead(context);
  // Nothing is delivered for a tree that nobody checked.
  if (scm === null || isRefused)
    return {
      commit: null,
      problem: null,
      spend: noSpend,
      isCut: signal.aborted,
      isUncommitted: false,
      tree: null,
      ...look,
    };
  const tasks = dueTasks(scm.tasks, isFinal);
  const turnMarker = `${context.runId}.${request.id}`;
  const tool: Tool = (argv, env) => runTool(context, { purpose: "delivery", argv, env, turnMarker, signal });
  const done = notDelivered(tasks);
  try {
    const call = { turnMarker, signal, program: scm.command, hasHooks: runsHooks(scm) };
    const opened = await openDeliveryGit(context, call);
    if ("problem" in opened) return ended({ ...done, problem: opened.problem }, signal);
    const { record, save } = isFinal ? unrecorded : await openRecord(context, request.iteration);
    done.commit = record.commit;
    done.isUncommitted = tasks.indexOf("commit") >= record.tasksDone;
    const lockPlace = { disk: context.disk, ...opened.run.store, repository: opened.run.store.start.repository };
    const held = tasks.length === 0 ? null : await waitForIndex(context, lockPlace, signal);
    if (held !== null) return ended({ ...done, problem: held }, signal);
    for (const [index, task] of tasks.entries()) {
      if (index < record.tasksDone || signal.aborted || done.problem !== null) continue;
      const delivery = { ...opened, context, tool, turnMarker, signal, scm, record, save };
      const step = await withIndexNote(lockPlace, () => performTask(delivery, task));
      done.commit = step.commit ?? done.commit;
      done.spend = addSpend(done.spend, step.spend);
      done.problem = step.problem?.slice(0, problemCharsMax) ?? null;
      if (step.problem !== null) continue;
      done.isUncommitted &&= task !== "commit";
      await save({ tasksDone: index + 1, commit: done.commit, before: null });
    }
    await nameRefusedHooks(context, opened.refusedHooks);
    // With a claim the end of the run says it.
    if (!isFinal && request.candidate === null && done.commit !== null) await nameMovedHead(context);
    const isCommitted = tasks.includes("commit") && !done.isUncommitted;
    if (done.problem === null || isCommitted) done.tree = look?.tree ?? (await headTree(opened));
  } catch (fault) {
    done.problem = `the delivery could not continue: ${String(fault)}`.slice(0, problemCharsMax);
  }
  return ended(done, signal);
}

/** Resume repeats what a cut interrupted; it is not a problem. */
function ended(done: Omit<Delivered, "isCut">, { aborted: isCut }: AbortSignal): Delivered {
  return isCut ? { ...done, problem: null, tree: null, isUncommitted: false, isCut } : { ...done, isCut };
}

function notDelivered(tasks: readonly string[]): Omit<Delivered, "isCut"> {
  return { commit: null, problem: null, spend: noSpend, tree: null, isUncommitted: tasks.includes("commit") };
}

/** A run of an older version was started without the setting. */
function runsHooks({ hooks }: { hooks?: boolean }): boolean {
  return hooks ?? true;
}

/** A git that lists a status holds the index for a moment. */
const lockMsMax = 2000;

async function waitForIndex(
  { clock }: RunContext,
  context: IndexLockContext,
  signal: AbortSignal,
): Promise<string | null> {
  if (findLock(context) === null) return null;
  await clock.wait(lockMsMax, signal);
  return findLock(context);
}

/** Hooks shown in a note. */
const namesMax = 5;

async function nameRefusedHooks({ note }: RunContext, refused: readonly string[]): Promise<void> {
  if (refused.length === 0) return;
  const more = refused.length > namesMax ? ` and ${refused.length - namesMax} more` : "";
  const names = `${refused.slice(0, namesMax).join(", ")}${more}`;
  await note("warning", `Hooks that were changed or added since the start were not run: ${names}.`);
}

/** A final delivery finds what it made before, and can be repeated as it is. */
const unrecorded: Pick<Delivery, "record" | "save"> = { record: newDelivery, save: () => Promise.resolve() };

async function openRecord(context: RunContext, iteration: number): Promise<Pick<Delivery, "record" | "save">> {
  const record = await readDelivery(context, iteration);
  let current = record;
  const save = async (change: Partial<DeliveryRecord>): Promise<void> => {
    current = { ...current, ...change };
    await writeDelivery(context, iteration, current);
  };
  return { record, save };
}

function performTask(delivery: Delivery, task: string): Promise<TaskDone> {
  if (task === "commit") return commit(delivery);
  return isFinalTask(task) ? openPullRequest(delivery, task) : plain(delivery, task);
}

/** Any other task is a command of the version control program, its words the arguments (S1-63). */
async function plain({ git, gitWithHooks, context }: Delivery, task: string): Promise<TaskDone> {
  const configured = await git(["config", "--get", "core.sshCommand"]);
  const env = batchSsh(context.env, configured.exitCode === 0 ? configured.stdout.trim() : null);
  const end = await gitWithHooks(task.split(/\s+/), { env });
  return { commit: null, problem: end.exitCode === 0 ? null : describeFailure(task, end), spend: noSpend };
}
