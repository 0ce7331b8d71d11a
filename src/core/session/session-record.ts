import { isObject } from "../text/is-object.ts";
import { sessionBegin, type SessionContract, sessionGates } from "../contract/session-checks.ts";
import { decide } from "../engine/decide.ts";
import { newRun, type RunState } from "../run/state.ts";
import { isRefusal, upgradeRun } from "../run/upgrade/upgrade-run.ts";
import { count, flag, hasShape, nullable, objectOf, type Shape, shapeProblem, text } from "../shape/shape.ts";
import { sessionPolicy } from "./loop/loop-config.ts";
import { parseLoopState, type RalphLoopState } from "./loop/loop-state.ts";

/** Raised with every change of what is stored of a session beside its run. */
export const sessionVersion = 3;

/** What is stored of a session: the loop as users see it, the engine's state, and where its messages stand. */
export type SessionRecord = {
  version: typeof sessionVersion;
  loop: RalphLoopState;
  /** The directory the session works in. */
  directory: string;
  /** The program the session lives in: only it can tell whether the session still exists. */
  host: string;
  run: RunState;
} & Seen;

/** What a driver has seen of the host: it comes with the steps of the engine, which does not know it. */
export type Seen = {
  /** Messages before the iteration in progress; null when nobody could count them. */
  mark: number | null;
  /** Messages seen when the turn was judged: the next iteration's begin. */
  judgedCount: number | null;
  /** What was seen when the host last said it is idle; null while it works. */
  idle: SeenIdle | null;
  /** An error of the host since the iteration began. */
  hostError: string | null;
};

/** A host that gave no name. */
export const unknownHost = "library";

/** An idle host: how many messages it had, and whether it may be at work all the same. */
export type SeenIdle = { count: number | null; isDoubted: boolean };

/** Where a loop begins, and what it is bound by. */
export type SessionStart = {
  directory: string;
  host?: string;
  continuationDelay: number;
  criterionCount: number;
  /** What its checks are; absent: the host does not say. */
  contract?: SessionContract;
  requireProgress?: boolean;
  /** Messages that were there before; null, or absent, when they are still to be counted. */
  mark?: number | null;
  at: number;
};

/** A session before the first observation of its loop. */
export function emptySession(loop: RalphLoopState, given: SessionStart): SessionRecord {
  const { directory, host = unknownHost, mark = null, contract } = given;
  const gates = sessionGates(given.criterionCount, contract);
  const policy = sessionPolicy(loop, { ...given, gates, contractHash: contract?.hash ?? "" });
  const run = { ...newRun(policy, sessionBegin(given.criterionCount)), iteration: loop.iteration - 1 };
  return { version: sessionVersion, loop, directory, host, run, ...nothingSeen, mark };
}

/** Nothing of the host was seen yet. */
export const nothingSeen: Seen = { mark: null, judgedCount: null, idle: null, hostError: null };

/** A loop whose first prompt is given: iteration 1 is in progress (S0-22). */
export function newSession(loop: RalphLoopState, given: SessionStart): SessionRecord {
  const { at } = given;
  const empty = emptySession(loop, given);
  const [ordered] = decide(empty.run, { type: "run-started", at, upMs: 0 });
  const effectId = ordered.pending?.id ?? 0;
  const [run] = decide(ordered, { type: "turn-started", at, upMs: 0, effectId, pid: 0, startTime: "" });
  return { ...empty, run };
}

/** What of a record the driver has seen. */
export function seenOf({ mark, judgedCount, idle, hostError }: SessionRecord): Seen {
  return { mark, judgedCount, idle, hostError };
}

/** The record after the engine moved on: the loop's count is the engine's. */
export function withRun(record: SessionRecord, run: RunState, at: number): SessionRecord {
  const isNext = run.iteration > record.loop.iteration;
  const iteration = Math.max(1, run.iteration);
  // A session whose stops are judged without a loop has none that could become active.
  const loop = { ...record.loop, iteration, active: record.loop.active && run.outcome === null };
  return { ...record, run, loop: isNext ? { ...loop, lastIterationAt: new Date(at).toISOString() } : loop };
}

/**
 * Reads a session's file. A file of an older generation, which is the loop alone, starts its iteration again; any other
 * one is complete or refused: half of a record might let a stop through. A text says what is wrong.
 */
export function parseSession(
  value: unknown,
  given: { directory: string; continuationDelay: number; criterionCount: number; at: number },
): SessionRecord | string {
  if (!isObject(value)) return "it is not an object";
  if (!recordFields.some((field) => field in value)) {
    const loop = parseLoopState(value);
    return typeof loop === "string" ? loop : newSession(loop, given);
  }
  const stored = parseStored(value);
  return typeof stored === "string" ? stored : stored.record;
}

/**
 * Reads a record of this version or an older one; a text says what is wrong. `isUpgraded`: its run was stored by an older
 * version, whose journal does not lead to it.
 */
export function parseStored(value: unknown): { record: SessionRecord; isUpgraded: boolean } | string {
  if (!isObject(value)) return "it is not an object";
  const { version } = value;
  // Versions 1 and 2 differ in the run alone, which names its own version, and in where they are kept.
  if (version !== 1 && version !== 2 && version !== sessionVersion)
    return `its version is ${JSON.stringify(version)}, this ralph knows versions up to ${sessionVersion}`;
  const loop = parseLoopState(value["loop"]);
  if (typeof loop === "string") return `loop: ${loop}`;
  // Without a frozen run nothing is hashed.
  const upgraded = upgradeRun({ state: value["run"], frozen: null }, () => "");
  if (isRefusal(upgraded)) return `run: ${upgraded.problem}`;
  const { state: run } = upgraded;
  const rest: unknown = value;
  if (!hasShape(restShape, rest)) return shapeProblem(restShape, rest) ?? "it is incomplete";
  if (run.policy.kind !== "session") return `run: its kind is ${run.policy.kind}`;
  if (Math.max(1, run.iteration) !== loop.iteration) return "loop and run count different iterations";
  if (loop.active && !isLiving(run)) return "loop.active does not fit its run";
  const { directory, host, mark, judgedCount, idle, hostError } = rest;
  const record = { version: sessionVersion, loop, directory, host, run, mark, judgedCount, idle, hostError } as const;
  return { record, isUpgraded: upgraded.from !== run.version };
}

/**
 * True for a loop that is not active although its run has not ended. A program can write such a loop, and then the journal
 * begins with it; an edit of this one field must not hide a loop that nobody has judged.
 */
export function isSwitchedOff({ loop, run }: SessionRecord): boolean {
  return !loop.active && isLiving(run);
}

function isLiving({ outcome, policy }: RunState): boolean {
  return outcome === null && policy.claimBy !== "stop";
}

type Rest = Omit<SessionRecord, "version" | "loop" | "run">;

const seenFields = {
  mark: nullable(count),
  judgedCount: nullable(count),
  idle: nullable(objectOf<SeenIdle>({ count: nullable(count), isDoubted: flag })),
  hostError: nullable(text),
};

/** What a line of the journal must hold beside its step. */
export const seenShape: Shape<Seen> = objectOf<Seen>(seenFields);

const restShape: Shape<Rest> = objectOf<Rest>({ directory: text, host: text, ...seenFields });

/** By any of these a record is told from the older generation's loop. */
const recordFields = ["version", "loop", "run", "mark", "judgedCount", "idle", "hostError", "host", "directory"];
