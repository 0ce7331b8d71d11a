import { addSpend, noSpend, type Spend } from "../../src/core/agents/spend.ts";
import { taskListGateId } from "../../src/core/contract/task-list.ts";
import { decide } from "../../src/core/engine/decide.ts";
import type { Observation } from "../../src/core/run/observation.ts";
import { newRun, type RunBegin, type RunState } from "../../src/core/run/state.ts";
import { decideWork } from "../../src/core/work/decide-work.ts";
import { newWork, type WorkState } from "../../src/core/work/work-state.ts";
import { canonicalJson } from "../../src/core/text/canonical-json.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import type { RunRecord } from "../../src/shell/ports.ts";
import { asOwn } from "../../src/shell/lib/as-own.ts";

/** The state that the journal alone gives, and where it gives other orders than the run had. */
export type Folded = { state: RunState; otherOrders: OtherOrders[] };

type OtherOrders = { seq: number; folded: unknown[]; stored: unknown[] };

/**
 * Folds a journal through `decide`, from the first entry on; where a newer version took the run over, from the state
 * that its note holds.
 */
export function foldJournal(record: RunRecord, entries: readonly JournalEntry[]): Folded {
  if (record.frozen.work !== undefined) return foldWork(record, entries);
  const upgrade = entries.findLastIndex((entry) => entry.kind === "note" && entry.upgraded !== undefined);
  const note = entries[upgrade];
  if (note?.kind === "note" && note.upgraded !== undefined)
    return foldFrom(note.upgraded.state, entries.slice(upgrade + 1));
  const start = newRun(record.frozen.policy, firstBegin(record, entries));
  const folded = foldFrom(start, entries);
  if (record.parentId === null) return folded;
  // A role begins late in the life of its program; when it did is only seen from the time it used.
  return foldFrom({ ...start, lastUpMs: folded.state.usedMs - record.state.usedMs }, entries);
}

/** What the turns, checks and deliveries of a journal cost, whichever version wrote it. */
export function foldSpend(entries: readonly JournalEntry[]): Spend {
  return entries.reduce(
    (sum, entry) => (entry.kind === "step" ? addSpend(sum, spendOf(entry.observation)) : sum),
    noSpend,
  );
}

function spendOf(observation: Observation): Spend {
  switch (observation.type) {
    case "turn-ended":
      return observation.report.spend;
    case "gate-finished":
    case "delivery-finished":
      return observation.spend;
    case "run-resumed":
      return observation.lostSpend ?? noSpend;
    case "run-started":
    case "turn-started":
    case "turn-progressed":
    case "timer-fired":
    case "turn-unsettled":
    case "turn-reopened":
    case "asked":
      return noSpend;
  }
}

function foldFrom(start: RunState, entries: readonly JournalEntry[]): Folded {
  return entries.reduce<Folded>(
    ({ state, otherOrders }, entry) => {
      if (entry.kind !== "step") return { state, otherOrders };
      const [next, ordered] = decide(state, entry.observation);
      const isSame = canonicalJson(ordered) === canonicalJson(entry.effects);
      const other = { seq: entry.seq, folded: ordered, stored: entry.effects };
      return { state: next, otherOrders: isSame ? otherOrders : [...otherOrders, other] };
    },
    { state: start, otherOrders: [] },
  );
}

/**
 * A work run folds through `decideWork`. What a version without that engine wrote is left out: the resume that took it
 * over holds the state from which its steps fold on.
 */
function foldWork({ frozen }: RunRecord, entries: readonly JournalEntry[]): Folded {
  return entries.reduce<{ state: WorkState; otherOrders: OtherOrders[] }>(
    ({ state, otherOrders }, entry) => {
      if (entry.kind !== "work-step") return { state, otherOrders };
      const [next, ordered] = decideWork(state, entry.observation);
      const isSame = canonicalJson(ordered) === canonicalJson(entry.effects);
      const other = { seq: entry.seq, folded: ordered, stored: entry.effects };
      return { state: next, otherOrders: isSame ? otherOrders : [...otherOrders, other] };
    },
    { state: newWork(frozen.policy), otherOrders: [] },
  );
}

/** What the run began with: the memory that its gates were first asked with. */
function firstBegin({ state }: RunRecord, entries: readonly JournalEntry[]): RunBegin {
  const effects = entries.flatMap((entry) => (entry.kind === "step" ? entry.effects : []));
  const asked = effects.find((effect) => effect.type === "run-gate" && effect.gate.id === taskListGateId);
  const slot = asked?.type === "run-gate" ? asked.slot : (state.slots[taskListGateId] ?? null);
  if (slot === null) return { slots: {}, assignment: null, isWorkLeft: true };
  const { assignment } = asOwn<Pick<RunBegin, "assignment">>(slot);
  return { slots: { [taskListGateId]: slot }, assignment, isWorkLeft: assignment !== null };
}
