import { hashFrozen } from "../../../core/journal/chain.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { AgentEventRecord, Lease, Store } from "../../ports.ts";
import { cutAgentEvent, eventsPerTurnMax } from "../cut-agent-event.ts";
import { sha256 } from "../sha256.ts";
import { hashText } from "../hash-text.ts";
import { copy, createMemoryContents, type MemoryContents } from "./memory-contents.ts";
import { pruneMemory } from "./memory-prune.ts";
import { appendNews } from "./memory-journal.ts";
import {
  commitStep,
  createRun,
  heldRun,
  importRun,
  knownRun,
  listRuns,
  listUnusable,
  releaseRun,
  renewLease,
  takeRun,
  usableRecord,
} from "./memory-runs.ts";
import { listTasks, putTasks, removeTask, updateTask } from "./memory-tasks.ts";

/** What becomes of an operation: a fault strikes before anything is stored, or after all of it is. */
export type FaultPlan = (operation: keyof Store) => "ok" | "fail-before" | "fail-after";

/** `data` outlives a store: another store on the same data is what a restarted program finds. `now` dates blobs and leases. */
export type MemoryStoreOptions = { data?: MemoryContents; fault?: FaultPlan; now?: () => number };

/** A store for simulations and tests, with the semantics of the real one. Everything is copied in and out. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { data = createMemoryContents(), fault = () => "ok", now = () => 0 } = options;
  const connection = { isOpen: true };
  const perform = async <Result>(operation: keyof Store, body: () => Result): Promise<Result> => {
    if (!connection.isOpen) throw new RalphError("store", "The store in memory is closed.");
    const plan = fault(operation);
    if (plan === "fail-before") throw new RalphError("store", `A fault was planned before ${operation}.`);
    const result = copy(body());
    if (plan === "fail-after") throw new RalphError("store", `A fault was planned after ${operation}.`);
    return result;
  };
  return {
    create: (run, owner, answers) =>
      perform("create", () => createRun(data, copy(run), { owner: copy(owner), at: now(), answers })),
    take: (runId, owner, answers) =>
      perform("take", () => takeRun(data, runId, { owner: copy(owner), at: now(), answers })),
    renew: (lease) => perform("renew", () => renewLease(data, lease, now())),
    release: (runId, epoch) => perform("release", () => releaseRun(data, runId, epoch)),
    commit: (step) => perform("commit", () => commitStep(data, copy(step))),
    note: ({ at, level, text, ...lease }) =>
      perform("note", () => appendNews(heldRun(data, lease), { at, kind: "note", level, text })),
    importRun: (run, journal, endedAt) =>
      perform("importRun", () => importRun(data, copy(run), copy(journal), endedAt)),
    appendAgentEvents: (lease, events) => perform("appendAgentEvents", () => appendEvents(data, lease, events)),
    ask: (runId, request, at) =>
      perform("ask", () => {
        const { requests } = knownRun(data, runId);
        requests.push({ seq: requests.length + 1, request, at });
      }),
    readRequests: (runId, afterSeq) =>
      perform("readRequests", () => after(data.runs.get(runId)?.requests, afterSeq, Infinity)),
    putBlob: async (text) => {
      const hash = await hashText(text);
      return perform("putBlob", () => {
        const putAt = Math.max(now(), data.blobs.get(hash)?.putAt ?? 0);
        data.blobs.set(hash, { text: text.toWellFormed(), putAt });
        return hash;
      });
    },
    getBlob: (hash) => perform("getBlob", () => data.blobs.get(hash)?.text ?? null),
    find: (part) => perform("find", () => foundIds(data, part).map((id) => usableRecord(knownRun(data, id).record))),
    list: (filter) => perform("list", () => listRuns(data, filter)),
    listUnusable: (filter) => perform("listUnusable", () => listUnusable(data, filter)),
    readChain: (runId, afterSeq, limit) =>
      perform("readChain", () => {
        const { links, head, record } = knownRun(data, runId);
        return { links: after(links, afterSeq, limit), head, frozenHash: hashFrozen(record.frozen, sha256) };
      }),
    readJournal: (runId, afterSeq, limit) =>
      perform("readJournal", () => after(data.runs.get(runId)?.journal, afterSeq, limit)),
    readAgentEvents: (runId, afterSeq, limit) =>
      perform("readAgentEvents", () => after(data.runs.get(runId)?.events, afterSeq, limit)),
    prune: (keep, at) => perform("prune", () => pruneMemory(data, keep, at)),
    putTasks: (directory, writes) => perform("putTasks", () => putTasks(data, directory, copy(writes))),
    getTask: (directory, id) => perform("getTask", () => data.tasks.get(directory)?.get(id) ?? null),
    listTasks: (directory) => perform("listTasks", () => listTasks(data, directory)),
    updateTask: (directory, id, update) => perform("updateTask", () => updateTask(data, directory, id, copy(update))),
    removeTask: (directory, id, expected) => perform("removeTask", () => removeTask(data, directory, id, expected)),
    close: async () => {
      connection.isOpen = false;
    },
  };
}

/** The run with exactly this id, else those whose id begins with it, else those whose id has it anywhere. */
function foundIds({ runs }: MemoryContents, part: string): string[] {
  if (part === "" || runs.has(part)) return part === "" ? [] : [part];
  const ids = Array.from(runs.keys()).filter((id) => id.includes(part));
  const begun = ids.filter((id) => id.startsWith(part));
  return (begun.length > 0 ? begun : ids).toSorted();
}

function appendEvents(
  data: MemoryContents,
  lease: Pick<Lease, "runId" | "epoch">,
  added: readonly Omit<AgentEventRecord, "runId" | "seq">[],
): void {
  if (added.length === 0) return;
  const { events } = heldRun(data, lease);
  for (const each of added) {
    const kept = events.filter(({ effectId }) => effectId === each.effectId).length;
    if (kept >= eventsPerTurnMax) continue;
    const event = cutAgentEvent(each.event);
    events.push(copy({ ...each, runId: lease.runId, seq: events.length + 1, event }));
  }
}

function after<Numbered extends { seq: number }>(
  items: readonly Numbered[] | undefined,
  afterSeq: number,
  limit: number,
): Numbered[] {
  return (items ?? []).filter(({ seq }) => seq > afterSeq).slice(0, limit);
}
