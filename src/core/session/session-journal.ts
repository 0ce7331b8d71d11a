import { decide } from "../engine/decide.ts";
import type { Step } from "../engine/orders.ts";
import type { Effect } from "../run/effect.ts";
import type { Moment, Observation } from "../run/observation.ts";
import { type RunState, runStateVersion } from "../run/state.ts";
import { upgradeEntry } from "../run/upgrade/upgrade-run.ts";
import { hasShape } from "../shape/shape.ts";
import { isObject } from "../text/is-object.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { thrownText } from "../text/thrown-text.ts";
import { parsedOrNull } from "../text/parsed-or-null.ts";
import type { RalphLoopState } from "./loop/loop-state.ts";
import {
  emptySession,
  parseStored,
  type Seen,
  seenOf,
  seenShape,
  type SessionRecord,
  type SessionStart,
  withRun,
} from "./session-record.ts";
import { type SessionStep, stepRecord } from "./step-session.ts";

/** Raised with every change of a line's own fields; observations and effects carry the version of the run's state. */
export const journalFormat = 1;

/** What the lines after it fold on from: a run began, or its record came from elsewhere. */
export type SessionBegin = { because: string; record: SessionRecord };

/** What is stored at once: the lines of the journal, and the record that they lead to. */
export type SessionChange = { begin: SessionBegin | null; steps: readonly SessionStep[]; record: SessionRecord };

/** One line of a session's journal. `seen` is what the driver had seen of the host when the step was stored. */
export type SessionLine = { format: typeof journalFormat; version: number; seq: number; at: number } & (
  | ({ kind: "begin" } & SessionBegin)
  | ({ kind: "step"; seen: Seen } & SessionStep)
);

/** A loop begins in a session: its first prompt is given. */
export function beginSession(loop: RalphLoopState, given: SessionStart): SessionChange {
  const moment = { at: given.at, upMs: 0 };
  const begin = { because: "a loop began", record: emptySession(loop, given) };
  const ordered = stepRecord(begin.record, [{ type: "run-started" }], moment);
  const effectId = ordered.record.run.pending?.id ?? 0;
  const started = stepRecord(ordered.record, [{ type: "turn-started", effectId, pid: 0, startTime: "" }], moment);
  return { begin, steps: [...ordered.steps, ...started.steps], record: started.record };
}

/** A record that no step of the engine leads to: the lines after it fold on from it. */
export function givenRecord(record: SessionRecord, because: string): SessionChange {
  return { begin: { because, record }, steps: [], record };
}

/** A person, or the end of its session, ends a loop. */
export function cancelSession(record: SessionRecord, moment: Moment): SessionChange {
  return { begin: null, ...stepRecord(record, [{ type: "asked", request: "cancel", seq: null }], moment) };
}

/** A change of what was seen of the host alone: nothing for the journal. */
export function seenChange(record: SessionRecord): SessionChange {
  return { begin: null, steps: [], record };
}

/** The lines of a change, numbered after the last one. */
export function linesOf({ begin, steps, record }: SessionChange, lastSeq: number, now: number): SessionLine[] {
  const seen = seenOf(record);
  const entries = [
    ...(begin === null ? [] : [{ kind: "begin" as const, at: now, ...begin }]),
    ...steps.map((step) => ({ kind: "step" as const, at: step.observation.at, ...step, seen })),
  ];
  return entries.map((entry, index) => ({
    format: journalFormat,
    version: runStateVersion,
    seq: lastSeq + 1 + index,
    ...entry,
  }));
}

/** Reads a line that must have this number, as this version writes it. A text says why it cannot be used. */
export function readLine(text: string, seq: number): SessionLine | string {
  const value = parsedOrNull(text);
  if (!isObject(value)) return "it is not JSON";
  const { format, version } = value;
  if (format !== journalFormat) return `its format is ${JSON.stringify(format)}, this ralph knows ${journalFormat}`;
  if (value["seq"] !== seq) return `its number is ${JSON.stringify(value["seq"])}, expected ${seq}`;
  if (typeof version !== "number" || typeof value["at"] !== "number") return "it names no version or no time";
  if (value["kind"] === "begin") {
    const stored = parseStored(value["record"]);
    if (typeof stored === "string") return stored;
    return { ...numbered(seq, value["at"]), kind: "begin", because: String(value["because"]), record: stored.record };
  }
  const body = value["kind"] === "step" ? upgradeEntry(value, version) : null;
  if (body === null) return "it was written by a newer version, or is of an unknown kind";
  const { observation, effects, seen } = body;
  if (!isNews(observation) || !areOrders(effects) || !hasShape(seenShape, seen)) return "it is incomplete";
  return { ...numbered(seq, value["at"]), kind: "step", observation, effects, seen };
}

/** The record after a line, by the engine. A text says why the line does not follow from what is before it. */
export function foldLine(record: SessionRecord | null, line: SessionLine): SessionRecord | string {
  if (line.kind === "begin") return line.record;
  if (record === null) return "no run began before it";
  const step = stepBy(record.run, line.observation);
  if (typeof step === "string") return step;
  const [run, effects] = step;
  if (canonicalJson(effects) !== canonicalJson(line.effects)) return "the engine gives other orders";
  return { ...withRun(record, run, line.observation.at), ...line.seen };
}

/** An observation that no version of the engine was ever given must not end who reads it. */
function stepBy(run: RunState, observation: Observation): Step | string {
  try {
    return decide(run, observation);
  } catch (error) {
    return `the engine cannot hear it: ${thrownText(error)}`;
  }
}

/** Whether the engine can be asked about it; whether it is what was heard, only the orders can tell. */
function isNews(value: unknown): value is Observation {
  return isObject(value) && typeof value["type"] === "string" && typeof value["at"] === "number";
}

function areOrders(value: unknown): value is Effect[] {
  return Array.isArray(value);
}

function numbered(seq: number, at: number) {
  return { format: journalFormat, version: runStateVersion, seq, at } as const;
}
