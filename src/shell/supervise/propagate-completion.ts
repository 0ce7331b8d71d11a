import { parse, stringify } from "yaml";
import type { BusMessage } from "../../core/bus/message.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { takeLockFile } from "../lib/lock-file.ts";
import { postMessage } from "../bus/post-message.ts";
import { readAll } from "../bus/read-bus.ts";
import { readSharedText } from "../lib/read-shared-text.ts";
import { listRunIds, listRuns } from "./records/list-runs.ts";
import { readTaskFile } from "./task-file.ts";
import type { RecordKeeping } from "./records/run-info.ts";
import type { TaskFolder } from "./records/task-folder.ts";

/** Whether the project has heard of a completion; a failure is for the journal only, the task is complete anyway. */
export type Propagation =
  | { result: "posted"; messageId: string }
  | { result: "known" }
  | { result: "not-done" }
  | { result: "failed"; problem: string };

/** As long as records are waited for. */
const lockWaitMs = 5_000;

/** The field of a message's `meta` that names the completion it tells of. */
const keyName = "completion_key";

/**
 * Tells the project's bus that a task is complete, once for each completion, also when several processes do so or one
 * died between posting and noting it: a completion that is not noted is looked for on the bus. Must not reject.
 */
export async function propagateCompletion(
  task: TaskFolder,
  ids: { projectId: string; taskId: string },
  keeping: RecordKeeping,
): Promise<Propagation> {
  try {
    const completion = readCompletion(task, keeping);
    return completion === null ? { result: "not-done" } : await propagateLocked({ task, ids, completion }, keeping);
  } catch (error) {
    return { result: "failed", problem: thrownText(error) };
  }
}

type Completion = { key: string; facts: BusMessage[] };
type Order = { task: TaskFolder; ids: { projectId: string; taskId: string }; completion: Completion };

function readCompletion(task: TaskFolder, { disk }: RecordKeeping): Completion | null {
  const done = readTaskFile(task.doneFile, disk);
  if (done === null) return null;
  const runCount = listRunIds(task, disk).length;
  const facts = readAll(task.busFile, { files: disk, isWanted: ({ type }) => type === "FACT" });
  return { key: `done=${Math.floor(done.at)} runs=${runCount} facts=${facts.length}`, facts };
}

async function propagateLocked(order: Order, keeping: RecordKeeping): Promise<Propagation> {
  const { disk, clock, identities } = keeping;
  const path = `${order.task.propagationFile}.lock`;
  const lock = await takeLockFile({ path, files: disk, clock, identities, waitMs: lockWaitMs });
  if (lock === null) throw new RalphError("supervised", `${path} is held by another process.`);
  try {
    return await propagateOnce(order, keeping);
  } finally {
    lock.release();
  }
}

async function propagateOnce({ task, ids, completion }: Order, keeping: RecordKeeping): Promise<Propagation> {
  const { key, facts } = completion;
  if (readNotedKey(task, keeping) === key) return { result: "known" };
  const isWanted = ({ meta, taskId }: BusMessage): boolean => meta[keyName] !== undefined && taskId === ids.taskId;
  const completions = readAll(task.projectBusFile, { files: keeping.disk, isWanted });
  const earlier = completions.find(({ meta }) => meta[keyName] === key);
  const since = Date.parse(completions.at(-1)?.at ?? "") || null;
  const message =
    earlier ??
    (await postMessage(
      task.projectBusFile,
      {
        ...ids,
        type: "FACT",
        body: `task ${ids.taskId} completed (${await countsSince(task, since, { facts, disk: keeping.disk })})`,
        links: [{ url: task.busFile, label: "task bus", kind: null }],
        meta: { [keyName]: key },
      },
      { ...keeping, files: keeping.disk },
    ));
  const note = { version: 1, key, msg_id: message.id, at: new Date(keeping.clock.now()).toISOString() };
  await keeping.disk.writeAtomic(task.propagationFile, stringify(note, { lineWidth: 0 }));
  return earlier === undefined ? { result: "posted", messageId: message.id } : { result: "known" };
}

/** What this completion took: what the task did since the one before it. A run that one of its runs started is a child. */
async function countsSince(
  task: TaskFolder,
  since: number | null,
  { facts, disk }: { facts: readonly BusMessage[]; disk: RecordKeeping["disk"] },
): Promise<string> {
  const isNew = (at: number): boolean => since === null || at > since;
  const all = (await listRuns(task, disk)).map(({ run }) => run);
  const ids = new Set(all.map(({ runId }) => runId));
  const recent = all.filter(({ startedAt }) => isNew(startedAt));
  const children = recent.filter(({ parentRunId }) => parentRunId !== null && ids.has(parentRunId)).length;
  const factCount = facts.filter(({ at }) => isNew(Date.parse(at))).length;
  const counts = [`runs: ${recent.length - children}`, `children: ${children}`, `facts: ${factCount}`];
  return counts.filter((count) => count !== "children: 0").join(", ");
}

/** A note that is lost or broken says nothing; the bus is asked then. */
function readNotedKey(task: TaskFolder, { disk }: RecordKeeping): string | null {
  try {
    const value: unknown = parse(readSharedText(task.propagationFile, disk) ?? "", { logLevel: "error" });
    if (typeof value !== "object" || value === null || !("key" in value)) return null;
    return typeof value.key === "string" ? value.key : null;
  } catch {
    return null;
  }
}
