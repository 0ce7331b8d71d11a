/**
 * A loop in a host's session as its users see it (S0-01).
 *
 * @example
 * ```ts
 * import { type RalphLoopState, readState } from "ralph";
 *
 * const state: RalphLoopState | null = readState(process.cwd());
 * console.log(state === null ? "no loop" : `Iteration ${state.iteration}/${state.maxIterations}`);
 * ```
 */
export type RalphLoopState = {
  active: boolean;
  /** The iteration in progress, from 1. */
  iteration: number;
  maxIterations: number;
  completionPromise: string;
  /** ISO 8601. */
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string;
  description?: string;
};

/** Reads a loop from JSON of either generation; a text says which field is wrong (CW-0L, S0-47). */
export function parseLoopState(value: unknown): RalphLoopState | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is not an object";
  const field = readerOf(new Map<string, unknown>(Object.entries(value)));
  const active = field("active", "active");
  const iteration = field("iteration", "iteration");
  const maxIterations = field("maxIterations", "max_iterations");
  const completionPromise = field("completionPromise", "completion_promise");
  const startedAt = field("startedAt", "started_at");
  const prompt = field("prompt", "prompt");
  const sessionId = field("sessionId", "session_id");
  const lastIterationAt = field("lastIterationAt", "last_iteration_at");
  const description = field("description", "description");
  if (typeof active !== "boolean") return "active is not true or false";
  if (!isCount(iteration)) return "iteration is not a whole number of at least 1";
  if (!isCount(maxIterations)) return "maxIterations is not a whole number of at least 1";
  if (typeof completionPromise !== "string" || completionPromise.trim() === "") return "completionPromise is blank";
  if (!isTime(startedAt)) return "startedAt is not a time";
  if (typeof prompt !== "string") return "prompt is not a text";
  if (!isSessionId(sessionId)) return "sessionId names no session";
  if (lastIterationAt !== undefined && !isTime(lastIterationAt)) return "lastIterationAt is not a time";
  if (description !== undefined && typeof description !== "string") return "description is not a text";
  return {
    active,
    iteration,
    maxIterations,
    completionPromise,
    startedAt,
    prompt,
    sessionId,
    ...(lastIterationAt === undefined ? {} : { lastIterationAt }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Two loops of one session never begin at the same moment: by it answers to the first are told from those to the second. */
export function loopStartTime(before: { loop: RalphLoopState } | null, now: number): string {
  const last = before === null ? 0 : Date.parse(before.loop.startedAt);
  return new Date(Math.max(now, last + 1)).toISOString();
}

/** A missing owner, also one that was written down as a word, never is a session. */
export function isSessionId(value: unknown): value is string {
  return typeof value === "string" && !["", "null", "undefined"].includes(value.trim());
}

/** Iterations are counted in whole numbers from 1 (CW-0I). */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** A field under its present name or that of the older generation; null reads as absent. */
function readerOf(fields: ReadonlyMap<string, unknown>): (name: string, oldName: string) => unknown {
  return (name, oldName) => fields.get(name) ?? fields.get(oldName) ?? undefined;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
