import { setTimeout as wait } from "node:timers/promises";
import type { JournalEntry } from "../../core/journal/journal-entry.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import type { Machine } from "../../shell/machine.ts";
import type { AgentEventRecord, RunRecord } from "../../shell/ports.ts";
import { isDriven, type Looker } from "./is-driven.ts";
import { readSessionLog } from "./session-journal.ts";

/** A line of a run's log: an entry of its journal, or an event of its agent. */
export type LogItem = JournalEntry | AgentEventRecord;

/** How often a followed run is read. */
const followMs = 500;
const pageSize = 1000;

/** Journal and agent events of a run in the order of time; when it is followed, until its driver has ended. */
export async function* readLog(
  machine: Pick<Machine, "store"> & Looker,
  run: Pick<RunRecord, "id">,
  isFollowing: boolean,
): AsyncGenerator<LogItem> {
  let journalSeq = 0;
  let eventSeq = 0;
  for (;;) {
    const [current] = await machine.store.find(run.id);
    const isOver = current === undefined || !(await isDriven(machine, current));
    const journal = await machine.store.readJournal(run.id, journalSeq, pageSize);
    const events = await machine.store.readAgentEvents(run.id, eventSeq, pageSize);
    journalSeq = journal.at(-1)?.seq ?? journalSeq;
    eventSeq = events.at(-1)?.seq ?? eventSeq;
    yield* [...journal, ...events].toSorted((first, second) => first.at - second.at);
    const isMore = journal.length === pageSize || events.length === pageSize;
    if (!isMore && (!isFollowing || isOver)) return;
    if (!isMore) await wait(followMs);
  }
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
