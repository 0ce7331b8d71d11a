import { isObject } from "../text/is-object.ts";
import { sessionBegin, sessionGates } from "../contract/session-checks.ts";
import { decide } from "../engine/decide.ts";
import { newRun, type RunState } from "../run/state.ts";
import { isRefusal, upgradeRun } from "../run/upgrade/upgrade-run.ts";
import { count, flag, hasShape, nullable, objectOf, type Shape, shapeProblem, text } from "../shape/shape.ts";
import { sessionPolicy } from "./loop-config.ts";
import { parseLoopState, type RalphLoopState } from "./loop-state.ts";

/** Raised with every change of what a session's file holds beside its run. */
export const sessionVersion = 2;

/** One session's file: the loop as users see it, the engine's state, and where its messages stand. */
export type SessionRecord = {
  version: typeof sessionVersion;
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
  given: {
    directory: string;
    host?: string;
    continuationDelay: number;
    criterionCount: number;
    requireProgress?: boolean;
    at: number;
  },
): SessionRecord {
  const { directory, host = unknownHost, at } = given;
  const policy = sessionPolicy(loop, { ...given, gates: sessionGates(given.criterionCount) });
  const begun = newRun(policy, sessionBegin(given.criterionCount));
  const [ordered] = decide({ ...begun, iteration: loop.iteration - 1 }, { type: "run-started", at, upMs: 0 });
  const effectId = ordered.pending?.id ?? 0;
  const [run] = decide(ordered, { type: "turn-started", at, upMs: 0, effectId, pid: 0, startTime: "" });
  return {
    version: sessionVersion,
    loop,
    directory,
    host,
    run,
    mark: null,
    judgedCount: null,
    idle: null,
    hostError: null,
  };
}

/** The record after the engine moved on: the loop's count is the engine's. */
export function withRun(record: SessionRecord, run: RunState, at: number): SessionRecord {
  const isNext = run.iteration > record.loop.iteration;
  const iteration = Math.max(1, run.iteration);
  const loop = { ...record.loop, iteration, active: run.outcome === null };
  return { ...record, run, loop: isNext ? { ...loop, lastIterationAt: new Date(at).toISOString() } : loop };
}

/**
 * Reads a session's file. A file of an older generation, which is the loop alone, begins its iteration anew; any other
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
  const { version } = value;
  if (version !== 1 && version !== sessionVersion)
    return `its version is ${JSON.stringify(version)}, this ralph knows versions up to ${sessionVersion}`;
  return parseRecord(value);
}

/** Version 1 differs in the run alone, which names its own version. */
function parseRecord(value: Record<string, unknown>): SessionRecord | string {
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
  const { directory, host, mark, judgedCount, idle, hostError } = rest;
  return { version: sessionVersion, loop, directory, host, run, mark, judgedCount, idle, hostError };
}

type Rest = Omit<SessionRecord, "version" | "loop" | "run">;

const restShape: Shape<Rest> = objectOf<Rest>({
  directory: text,
  host: text,
  mark: nullable(count),
  judgedCount: nullable(count),
  idle: nullable(objectOf<SeenIdle>({ count: nullable(count), isDoubted: flag })),
  hostError: nullable(text),
});

/** By any of these a record is told from the older generation's loop. */
const recordFields = ["version", "loop", "run", "mark", "judgedCount", "idle", "hostError", "host", "directory"];
