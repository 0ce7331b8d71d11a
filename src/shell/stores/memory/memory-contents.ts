import type { ChainLink } from "../../../core/journal/chain.ts";
import type { JournalEntry } from "../../../core/journal/journal-entry.ts";
import type { Task } from "../../../core/tasks/task.ts";
import type { AgentEventRecord, AskedRequest, RunRecord } from "../../ports.ts";
import { asOwn } from "../../lib/as-own.ts";

/** A run with everything that goes when it is pruned. */
export type MemoryRun = {
  record: RunRecord;
  journal: JournalEntry[];
  /** The same entries as they are hashed, and the last hash. */
  links: ChainLink[];
  head: string | null;
  events: AgentEventRecord[];
  requests: AskedRequest[];
  /** Blobs its inputs, states or journal ever referred to. */
  hashes: Set<string>;
};

/** What a disk would hold. */
export type MemoryContents = {
  runs: Map<string, MemoryRun>;
  blobs: Map<string, { text: string; putAt: number }>;
  /** By directory, then by id. */
  tasks: Map<string, Map<string, Task>>;
};

/** An empty disk. */
export function createMemoryContents(): MemoryContents {
  return { runs: new Map(), blobs: new Map(), tasks: new Map() };
}

/** A copy by JSON, as a database would give it: what does not survive JSON does not survive here. */
export function copy<Value>(value: Value): Value {
  return value === undefined ? value : asOwn<Value>(JSON.parse(JSON.stringify(value)));
}
