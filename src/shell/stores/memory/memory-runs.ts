import { upgradeNote } from "../../../core/run/upgrade/upgrade-note.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { JournalNews, WorkStepNews } from "../../../core/journal/journal-entry.ts";
import type { Lease, NewRun, RunRecord, StepCommit, Taken, RunFilter, UnusableRun } from "../../ports.ts";
import { blobHashes } from "../blob-hashes.ts";
import { judgeLeases, leaseMs, type LeaseTaker } from "../lease-rule.ts";
import { givenUpLease, lostLock, noSuchRun } from "../refusals.ts";
import { refusalOf, usableRun } from "../usable-run.ts";
import { copy, type MemoryContents, type MemoryRun } from "./memory-contents.ts";
import { appendNews } from "./memory-journal.ts";

/** Creates the run and takes its directory, or does neither. */
export function createRun(data: MemoryContents, run: NewRun, taker: LeaseTaker): Taken {
  const refusal = clearLeases(data, run, taker);
  if (refusal !== null) return refusal;
  if (data.runs.has(run.id)) throw new RalphError("store", `There is already a run ${run.id}.`);
  const { outcome } = run.state;
  const endedAt = outcome === null ? null : run.createdAt;
  const lease = { epoch: 1, owner: taker.owner, expiresAt: taker.at + leaseMs };
  const record: RunRecord = { ...run, ...lease, updatedAt: run.createdAt, endedAt, outcome };
  const hashes = new Set(blobHashes(JSON.stringify([run.frozen, run.state])));
  data.runs.set(run.id, { record, journal: [], links: [], head: null, events: [], requests: [], hashes });
  return { isTaken: true, epoch: 1, record };
}

/** Adds an ended run with the entries of its journal that are not there yet. */
export function importRun(data: MemoryContents, run: NewRun, journal: readonly JournalNews[], endedAt: number): void {
  const record: RunRecord = {
    ...run,
    epoch: 1,
    owner: null,
    expiresAt: null,
    updatedAt: endedAt,
    endedAt,
    outcome: copy(run.state.outcome),
  };
  const empty = { journal: [], links: [], head: null, events: [], requests: [], hashes: new Set<string>() };
  const kept = data.runs.get(run.id) ?? { record, ...empty };
  const missing = journal.slice(kept.journal.length);
  for (const news of missing) appendNews(kept, news);
  if (missing.length > 0) kept.record = { ...record, frozen: kept.record.frozen };
  data.runs.set(run.id, kept);
}

/** Takes an existing run under a new epoch; from then on every write of its former driver fails. */
export function takeRun(data: MemoryContents, runId: string, taker: LeaseTaker): Taken {
  const run = knownRun(data, runId);
  const { record } = run;
  const { state, frozen, from } = usableRun(record);
  const refusal = clearLeases(data, record, taker);
  if (refusal !== null) return refusal;
  const { owner, at } = taker;
  record.epoch += 1;
  record.owner = owner;
  record.expiresAt = at + leaseMs;
  if (from !== state.version) {
    Object.assign(record, { state, frozen });
    appendNews(run, { at, kind: "note", level: "info", ...upgradeNote(from, state) }, true);
  }
  return { isTaken: true, epoch: record.epoch, record };
}

/** Moves the end of the lease, unless it passed on or was given up. */
export function renewLease(data: MemoryContents, { runId, epoch }: Pick<Lease, "runId" | "epoch">, at: number): void {
  const { record } = knownRun(data, runId);
  if (record.epoch !== epoch) throw lostLock(runId, { mine: epoch, found: record.epoch });
  if (record.owner === null) throw givenUpLease(runId);
  record.expiresAt = at + leaseMs;
}

/** Only the owner releases: an older epoch finds nothing to give up. */
export function releaseRun(data: MemoryContents, runId: string, epoch: number): void {
  const record = data.runs.get(runId)?.record;
  if (record?.epoch === epoch) Object.assign(record, { owner: null, expiresAt: null });
}

/** Stores a step: the new state and its journal entry, or nothing when another driver took the run. */
export function commitStep(data: MemoryContents, step: StepCommit): void {
  const run = heldRun(data, step);
  const { record, hashes } = run;
  const { at, state } = step;
  record.state = state;
  record.outcome = copy(state.outcome);
  record.updatedAt = at;
  record.endedAt = state.outcome === null ? null : (record.endedAt ?? at);
  appendNews(run, newsOf(step));
  for (const hash of blobHashes(JSON.stringify(step))) hashes.add(hash);
}

function newsOf(step: StepCommit): JournalNews | WorkStepNews {
  if (step.kind !== "work-step")
    return { at: step.at, kind: "step", observation: step.observation, effects: step.effects };
  return { at: step.at, kind: step.kind, observation: step.observation, effects: step.effects };
}

/** The run, or a refusal. */
export function knownRun(data: MemoryContents, runId: string): MemoryRun {
  const run = data.runs.get(runId);
  if (run === undefined) throw noSuchRun(runId);
  return run;
}

/** The run for a write of its driver; refused when another one took it. */
export function heldRun(data: MemoryContents, { runId, epoch }: Pick<Lease, "runId" | "epoch">): MemoryRun {
  const run = knownRun(data, runId);
  const found = run.record.epoch;
  if (found !== epoch) throw lostLock(runId, { mine: epoch, found });
  return run;
}

/** The record as this version uses it. */
export function usableRecord(record: RunRecord): RunRecord {
  const { state, frozen } = usableRun(record);
  return { ...record, state, frozen };
}

/** Newest first, without those that no command of this version can use. */
export function listRuns(data: MemoryContents, filter: RunFilter): RunRecord[] {
  return chosenRuns(data, filter)
    .filter((record) => refusalOf(record) === null)
    .map(usableRecord);
}

/** What `listRuns` leaves out, with the reason. */
export function listUnusable(data: MemoryContents, filter: RunFilter): UnusableRun[] {
  return chosenRuns(data, filter).flatMap((record) => {
    const problem = refusalOf(record);
    return problem === null ? [] : [{ id: record.id, directory: record.directory, problem }];
  });
}

function chosenRuns(data: MemoryContents, filter: RunFilter): RunRecord[] {
  return Array.from(data.runs.values(), ({ record }) => record)
    .filter(({ directory }) => filter.directory === null || directory === filter.directory)
    .filter(({ parentId }) => filter.parentId === undefined || parentId === filter.parentId)
    .filter(({ parentId }) => filter.isTop === undefined || parentId === null)
    .filter(({ kind }) => filter.kind === undefined || kind === filter.kind)
    .filter(({ owner }) => filter.isHeld === undefined || owner !== null)
    .toSorted((first, second) => second.createdAt - first.createdAt || (first.id < second.id ? 1 : -1))
    .slice(0, filter.limit ?? undefined);
}

/** Removes the leases of dead drivers, fencing their runs, and returns null; or says why the run cannot be taken. */
function clearLeases(data: MemoryContents, run: NewRun, taker: LeaseTaker): Taken | null {
  const leases = Array.from(data.runs.values()).flatMap(({ record }) => {
    const { id: runId, owner, epoch, expiresAt } = record;
    return owner === null ? [] : [{ runId, owner, epoch, expiresAt, record }];
  });
  const onDirectory = leases.filter(({ record }) => record.directory === run.directory);
  const ofChildren = leases.filter(({ record }) => record.parentId === run.id && record.directory !== run.directory);
  const judged = judgeLeases({ onDirectory, ofChildren }, run.parentId, taker);
  if (judged.may === "wait") return { isTaken: false, holder: judged.holder.record, unknown: [] };
  if (judged.may === "ask") {
    const unknown = judged.unknown.map(({ runId, owner, epoch, expiresAt }) => ({ runId, owner, epoch, expiresAt }));
    return { isTaken: false, holder: judged.unknown[0].record, unknown };
  }
  for (const { record } of judged.stale) removeLock(record);
  return null;
}

function removeLock(record: RunRecord): void {
  Object.assign(record, { epoch: record.epoch + 1, owner: null, expiresAt: null });
}
