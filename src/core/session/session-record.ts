import { sessionBegin, sessionGates } from "../contract/session-checks.ts";
import { decide } from "../engine/decide.ts";
import { newRun, type RunState } from "../engine/state.ts";
import { sessionPolicy } from "./loop-config.ts";
import { parseLoopState, type RalphLoopState } from "./loop-state.ts";

/** One session's file: the loop as users see it, the engine's state, and where its messages stand. */
export type SessionRecord = {
  version: 1;
  loop: RalphLoopState;
  /** The directory the session works in. */
  directory: string;
  /** The program the session lives in: only it can tell whether the session still exists. */
  host: string;
  run: RunState;
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

/** A loop whose first prompt is given: iteration 1 is in progress (S0-22). */
export function newSession(
  loop: RalphLoopState,
  given: { directory: string; host?: string; continuationDelay: number; criterionCount: number; at: number },
): SessionRecord {
  const { directory, host = unknownHost, at } = given;
  const policy = sessionPolicy(loop, { ...given, gates: sessionGates(given.criterionCount) });
  const begun = newRun(policy, sessionBegin(given.criterionCount));
  const [ordered] = decide({ ...begun, iteration: loop.iteration - 1 }, { type: "run-started", at, upMs: 0 });
  const effectId = ordered.pending?.id ?? 0;
  const [run] = decide(ordered, { type: "turn-started", at, upMs: 0, effectId, pid: 0, startTime: "" });
  return { version: 1, loop, directory, host, run, mark: null, judgedCount: null, idle: null, hostError: null };
}

/** The record after the engine moved on: the loop's count is the engine's. */
export function withRun(record: SessionRecord, run: RunState, at: number): SessionRecord {
  const isNext = run.iteration > record.loop.iteration;
  const iteration = Math.max(1, run.iteration);
  const loop = { ...record.loop, iteration, active: run.outcome === null };
  return { ...record, run, loop: isNext ? { ...loop, lastIterationAt: new Date(at).toISOString() } : loop };
}

/**
 * Reads a session's file. A file of an older generation, which is the loop alone, begins its iteration anew; a text
 * says what is wrong with one that is neither.
 */
export function parseSession(
  value: unknown,
  given: { directory: string; continuationDelay: number; criterionCount: number; at: number },
): SessionRecord | string {
  if (!isObject(value)) return "it is not an object";
  const loop = parseLoopState(value["loop"] ?? value);
  if (typeof loop === "string") return loop;
  const directory = typeof value["directory"] === "string" ? value["directory"] : given.directory;
  const host = typeof value["host"] === "string" ? value["host"] : unknownHost;
  const fresh = newSession(loop, { ...given, directory, host });
  const { run } = value;
  // The engine's state is complete or it is made anew from the loop; half of one would be a lie.
  if (!isRunOf(run, fresh.run) || run.iteration !== loop.iteration) return fresh;
  return {
    ...fresh,
    run,
    mark: countOf(value["mark"]),
    judgedCount: countOf(value["judgedCount"]),
    idle: idleOf(value["idle"]),
    hostError: typeof value["hostError"] === "string" ? value["hostError"] : null,
  };
}

function isRunOf(value: unknown, sample: RunState): value is RunState {
  if (!isObject(value) || value["version"] !== sample.version || !isObject(value["policy"])) return false;
  const isWhole = Object.keys(sample).every((key) => key in value);
  const isCounted = Number.isInteger(value["iteration"]) && Number.isInteger(value["nextEffectId"]);
  const { pending } = value;
  const isPending = pending === null || (isObject(pending) && Number.isInteger(pending["id"]));
  return isWhole && isCounted && isPending && value["policy"]["kind"] === "session" && Array.isArray(value["feedback"]);
}

function idleOf(value: unknown): SeenIdle | null {
  return isObject(value) ? { count: countOf(value["count"]), isDoubted: value["isDoubted"] === true } : null;
}

function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
