import { setTimeout as wait } from "node:timers/promises";
import type { JournalEntry } from "../../core/journal/journal-entry.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import type { Machine } from "../../shell/machine.ts";
import type { AgentEventRecord, RunRecord } from "../../shell/ports.ts";
import { isDriven, type Looker } from "./find/is-driven.ts";
import { readSessionLog } from "./session-journal.ts";

/** A line of a run's log: an entry of its journal, or an event of its agent. */
export type LogItem = JournalEntry | AgentEventRecord;

/** How often a followed run is read. */
const followMs = 500;
const pageSize = 1000;

/** Agent events are stored up to a second after the journal: what is younger than this waits, so that the order is kept. */
const lagMs = 1500;

/** Journal and agent events of a run in the order of time; when it is followed, until its driver has ended. */
export async function* readLog(
  machine: Pick<Machine, "store"> & Looker,
  run: Pick<RunRecord, "id">,
  isFollowing: boolean,
): AsyncGenerator<LogItem> {
  let journalSeq = 0;
  let eventSeq = 0;
  let held: LogItem[] = [];
  for (;;) {
    const [current] = await machine.store.find(run.id);
    const isOver = current === undefined || !(await isDriven(machine, current));
    const journal = await machine.store.readJournal(run.id, journalSeq, pageSize);
    const events = await machine.store.readAgentEvents(run.id, eventSeq, pageSize);
    journalSeq = journal.at(-1)?.seq ?? journalSeq;
    eventSeq = events.at(-1)?.seq ?? eventSeq;
    const isMore = journal.length === pageSize || events.length === pageSize;
    const lastAts = [journal, events].map((page) => (page.length === pageSize ? (page.at(-1)?.at ?? 0) : Infinity));
    const until = Math.min(...lastAts, isFollowing && !isOver ? machine.clock.now() - lagMs : Infinity);
    const items = [...held, ...events, ...journal].toSorted(byTime);
    held = items.filter(({ at }) => at > until);
    yield* items.filter(({ at }) => at <= until);
    if (!isMore && (!isFollowing || isOver)) return;
    if (!isMore) await wait(followMs);
  }
}

/** What the agent did in the same moment came before it was noted. */
function byTime(first: LogItem, second: LogItem): number {
  return first.at - second.at || Number("kind" in first) - Number("kind" in second);
}

/** The journal of a session run; when it is followed, until the run has ended. Its host alone has the agent's events. */
export async function* readSessionEntries(
  machine: Pick<Machine, "store" | "folder">,
  session: SessionRecord,
  { isFollowing, onProblem }: { isFollowing: boolean; onProblem: (text: string) => void },
): AsyncGenerator<LogItem> {
  for (let afterSeq = 0; ;) {
    const { entries, isOver, problem } = await readSessionLog(machine, session, afterSeq);
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
    yield* entries;
    if (isOver || !isFollowing) {
      if (problem !== null) onProblem(problem);
      return;
    }
    await wait(followMs);
  }
}

/** What the agent printed, turn by turn, exactly as it came. */
export async function* readRawOutput(
  { artefacts }: Pick<Machine, "artefacts">,
  run: RunRecord,
): AsyncGenerator<Uint8Array> {
  for (let effectId = 1; effectId < run.state.nextEffectId; effectId++)
    yield* artefacts.readLog({ runId: run.id, kind: "stream", name: String(effectId) });
}
