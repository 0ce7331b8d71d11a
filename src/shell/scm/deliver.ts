import { addSpend, noSpend } from "../../core/agents/spend.ts";
import type { DeliveryOf } from "../../core/engine/effect.ts";
import { isFinalTask } from "../../core/settings/delivery-task.ts";
import type { RunContext } from "../drivers/run-context.ts";
import { commit } from "./commit.ts";
import type { Delivery, TaskDone } from "./delivery.ts";
import { type DeliveryRecord, newDelivery, readDelivery, writeDelivery } from "./delivery-record.ts";
import { openPullRequest } from "./pull-request.ts";
import { describeFailure, runTool, type Tool } from "../git/run-tool.ts";
import { batchSsh } from "./batch-ssh.ts";

/** What a delivery did. A problem never ends the run: the work stays in the tree (CW-1J). */
export type Delivered = TaskDone & { isCut: boolean };

/** What is delivered, and when. */
export type DeliveryOrder = { id: number; iteration: number; of: DeliveryOf };

/** Longest problem kept: it is part of the state and of a sentence people read. */
const problemCharsMax = 500;

/**
 * Runs the tasks of `scm` in order by argv, never by a shell (S1-63, CW-1F). The first failure ends the delivery.
 * Does not reject: what went wrong is a problem in one sentence.
 */
export async function deliver(context: RunContext, order: DeliveryOrder, signal: AbortSignal): Promise<Delivered> {
  const { scm } = context.frozen.settings;
  if (scm === null) throw new Error("delivery without scm settings");
  const isFinal = order.of === "completion";
  const tasks = scm.tasks.filter((task) => isFinalTask(task) === isFinal);
  const marker = `${context.runId}.${order.id}`;
  const tool: Tool = (argv, env) => runTool(context, { argv, env, marker, signal });
  const done: TaskDone = { commit: null, problem: null, spend: noSpend };
  try {
    const { record, save } = isFinal ? unrecorded : await openRecord(context, order.iteration);
    done.commit = record.commit;
    for (const [index, task] of tasks.entries()) {
      if (index < record.tasksDone || signal.aborted || done.problem !== null) continue;
      const step = await performTask({ context, tool, marker, signal, scm, record, save }, task);
      done.commit = step.commit ?? done.commit;
      done.spend = addSpend(done.spend, step.spend);
      done.problem = step.problem?.slice(0, problemCharsMax) ?? null;
      if (step.problem === null) await save({ tasksDone: index + 1, commit: done.commit, before: null });
    }
  } catch (fault) {
    done.problem = `the delivery could not go on: ${String(fault)}`.slice(0, problemCharsMax);
  }
  // What a cut interrupted is done again on resume; it is no problem.
  return signal.aborted ? { ...done, problem: null, isCut: true } : { ...done, isCut: false };
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
async function plain({ tool, scm, context }: Delivery, task: string): Promise<TaskDone> {
  const configured = await tool([scm.command, "config", "--get", "core.sshCommand"]);
  const env = batchSsh(context.env, configured.exitCode === 0 ? configured.stdout.trim() : null);
  const end = await tool([scm.command, ...task.split(/\s+/)], env);
  return { commit: null, problem: end.exitCode === 0 ? null : describeFailure(task, end), spend: noSpend };
}
