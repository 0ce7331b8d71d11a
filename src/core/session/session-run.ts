import type { JournalNews } from "../journal/journal-entry.ts";
import { type RunState, runStateVersion } from "../run/state.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { foldLine, type SessionLine } from "./session-journal.ts";
import { isSwitchedOff, type SessionRecord } from "./session-record.ts";

/** A session run as the store keeps it: its id, the record it began with, and its whole journal. */
export type SessionRun = {
  id: string;
  first: SessionRecord;
  last: SessionRecord;
  journal: JournalNews[];
  /** Why not every line leads to the stored state, in one sentence; null: they do. */
  problem: string | null;
};

/**
 * The id of an ended session run: that of its session, so that `ralph show SESSION` finds it, and when it began, because
 * a session can have another loop later. Only harmless characters: the id becomes part of paths.
 */
export function sessionRunId({ loop }: SessionRecord): string {
  return `${sessionRunName(loop.sessionId)}-${loop.startedAt.replaceAll(/[^0-9]/g, "")}`;
}

/** What the ids of all ended runs of a session begin with, before the time. */
export function sessionRunName(sessionId: string): string {
  return sessionId.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, nameCharsMax);
}

const nameCharsMax = 100;

/**
 * Replays the lines of a session. Those that fold become its journal, and the state they lead to counts; lines that do not
 * fold, and a stored state that differs, are named in a note. `lines` holds a text where a line could not be read.
 */
export function replaySession(stored: SessionRecord, lines: readonly (SessionLine | string)[]): SessionRun {
  const id = sessionRunId(stored);
  const journal: JournalNews[] = [];
  const unfolded: Unfolded[] = [];
  let record: SessionRecord | null = null;
  let first: SessionRecord | null = null;
  for (const [index, line] of lines.entries()) {
    const next: SessionRecord | string = typeof line === "string" ? line : foldLine(record, line);
    if (typeof line === "string" || typeof next === "string") {
      unfolded.push({ number: index + 1, why: typeof next === "string" ? next : "" });
      continue;
    }
    record = next;
    first ??= next;
    journal.push(newsOf(line));
  }
  const isSame = record !== null && canonicalJson(record.run) === canonicalJson(stored.run);
  const problem = unfoldedText(unfolded) ?? (isSame ? null : otherState);
  const shown = record ?? withoutClaim(stored);
  const last = stored.run.outcome === null ? shown : endedAtLeast(shown);
  if (problem !== null) {
    const said = { at: journal.at(-1)?.at ?? 0, level: "warning" as const, text: problem };
    journal.push({ ...note(last.run, said), isGap: true });
  }
  return { id, first: first ?? stored, last, journal, problem };
}

/** Without any line that folds nothing shows that a claim was verified. */
function withoutClaim(stored: SessionRecord): SessionRecord {
  const { run } = stored;
  return run.outcome?.name === "completed" ? { ...stored, run: { ...run, outcome: null } } : stored;
}

/** A run that was stored as ended has ended, whatever its lines lead to. */
function endedAtLeast(record: SessionRecord): SessionRecord {
  if (record.run.outcome !== null) return record;
  const reason = "The session's journal does not lead to the end that was stored.";
  return { ...record, run: { ...record.run, outcome: { name: "failed", reason } } };
}

/** Whether a record accepts a claim: its loop is completed, or a stop without a loop may end verified. */
export function isAccepting({ run }: SessionRecord): boolean {
  if (run.outcome !== null) return run.outcome.name === "completed";
  return (
    run.policy.claimBy === "stop" && run.pending?.type === "begin-turn" && run.pending.isRecheck && run.refusal === null
  );
}

/** Whether the lines of a journal lead to a record. Only such a record may accept a claim: its state can be edited. */
export function isReplayed(record: SessionRecord, lines: readonly (SessionLine | string)[]): boolean {
  const folded = foldAll(lines);
  return folded !== null && canonicalJson(folded.run) === canonicalJson(record.run);
}

/** Whether the lines of a journal, too, end with a loop that is switched off. */
export function isSwitchedOffBy(lines: readonly (SessionLine | string)[]): boolean {
  const folded = foldAll(lines);
  return folded !== null && isSwitchedOff(folded);
}

/** What all lines lead to; null when there are none or one of them does not fold. */
function foldAll(lines: readonly (SessionLine | string)[]): SessionRecord | null {
  let folded: SessionRecord | null = null;
  for (const line of lines) {
    const next: SessionRecord | string = typeof line === "string" ? line : foldLine(folded, line);
    if (typeof next === "string") return null;
    folded = next;
  }
  return folded;
}

/** A line that does not follow from those before it, counted from 1. */
type Unfolded = { number: number; why: string };

const otherState = "The lines of the session's journal lead to another state than the stored one; the journal counts.";

function unfoldedText([first, ...others]: readonly Unfolded[]): string | null {
  if (first === undefined) return null;
  if (others.length === 0) return `Line ${first.number} of the session's journal does not fold: ${first.why}.`;
  const numbers = [first, ...others].map(({ number }) => String(number));
  const more = numbers.length - numbersMax;
  const last = more > 0 ? `${more} more` : (numbers.at(-1) ?? "");
  const listed = numbers.slice(0, more > 0 ? numbersMax : -1).join(", ");
  return `Lines ${listed} and ${last} of the session's journal do not fold; line ${first.number}: ${first.why}.`;
}

/** Lines that a sentence names; more are counted. */
const numbersMax = 10;

/** A begin is a note that holds the state from which the entries after it fold on. */
function newsOf(line: SessionLine): JournalNews {
  if (line.kind === "step") {
    const { at, observation, effects } = line;
    return { at, kind: "step", observation, effects };
  }
  const { loop, host, run } = line.record;
  const text = `Session ${loop.sessionId} of ${host}: ${line.because}.`;
  return note(run, { at: line.at, level: "info", text });
}

function note(state: RunState, said: { at: number; level: "info" | "warning"; text: string }) {
  return { ...said, kind: "note" as const, upgraded: { from: runStateVersion, to: runStateVersion, state } };
}
