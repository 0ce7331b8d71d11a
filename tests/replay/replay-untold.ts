import { taskListGateId } from "../../src/core/contract/task-list.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import { beginReplay, differingFields, type Replay, replayEntry } from "../../src/core/journal/replay.ts";
import type { RunStart } from "../../src/core/run/state.ts";
import type { RunRecord } from "../../src/shell/ports.ts";
import { asOwn } from "../../src/shell/lib/as-own.ts";

/** What a replay found: the first step that does not follow, and the fields that differ from the stored state. */
export type Found = Pick<Replay, "broken"> & { fields: string[] };

/**
 * Replays the journal of a run that version 3 stored: it did not tell what a run on a task list or a role began with.
 * The list is the memory that its gate was first asked with; when the time of a role began is only seen from the time it
 * used.
 */
export function replayUntold(record: RunRecord, entries: readonly JournalEntry[]): Found {
  const begin = { ...listBegin(record, entries), lastUpMs: 0 };
  const replay = replayWith(begin, record, entries);
  if (record.parentId === null) return foundBy(replay, record);
  const usedMs = replay.position?.state.usedMs ?? 0;
  return foundBy(replayWith({ ...begin, lastUpMs: usedMs - record.state.usedMs }, record, entries), record);
}

function replayWith(begin: RunStart, record: RunRecord, entries: readonly JournalEntry[]): Replay {
  return entries.reduce((replay, entry) => replayEntry(replay, told(entry, begin), 3), beginReplay(record));
}

function told(entry: JournalEntry, begin: RunStart): JournalEntry {
  if (entry.kind !== "step" || entry.observation.type !== "run-started") return entry;
  return { ...entry, observation: { ...entry.observation, begin } };
}

function foundBy(replay: Replay, record: RunRecord): Found {
  return { broken: replay.broken, fields: differingFields(replay, record) };
}

function listBegin({ state }: RunRecord, entries: readonly JournalEntry[]): RunStart {
  const effects = entries.flatMap((entry) => (entry.kind === "step" ? entry.effects : []));
  const asked = effects.find((effect) => effect.type === "run-gate" && effect.gate.id === taskListGateId);
  const slot = asked?.type === "run-gate" ? asked.slot : (state.slots[taskListGateId] ?? null);
  if (slot === null) return {};
  const { assignment } = asOwn<Pick<RunRecord["state"], "assignment">>(slot);
  return { slots: { [taskListGateId]: slot }, assignment, isWorkLeft: assignment !== null };
}
