import type { Gate } from "../../contract/gate.ts";
import { equalReasonsMax } from "../../policies/equal-reasons.ts";
import type { Policy } from "../../run/policy.ts";
import { isCount, isSessionId, type RalphLoopState } from "./loop-state.ts";

/**
 * What a host may set for all of its loops (S0-02).
 *
 * @example
 * ```ts
 * import { DEFAULT_CONFIG, type RalphLoopConfig } from "ralph";
 *
 * const config: RalphLoopConfig = { ...DEFAULT_CONFIG, defaultMaxIterations: 20 };
 * console.log(config.continuationDelay); // 500
 * ```
 */
export type RalphLoopConfig = {
  enabled: boolean;
  defaultMaxIterations: number;
  defaultCompletionPromise: string;
  /** Milliseconds between the end of a turn and its continuation. */
  continuationDelay: number;
  /** Where the states are kept instead of ralph's own folder. */
  stateDir?: string;
};

/**
 * What one loop may set; what is left out comes from the configuration (S0-05).
 *
 * @example
 * ```ts
 * import { type StartLoopOptions } from "ralph";
 *
 * const options: StartLoopOptions = { maxIterations: 50, completionPromise: "REFACTOR_COMPLETE" };
 * console.log(options.maxIterations);
 * ```
 */
export type StartLoopOptions = {
  maxIterations?: number | undefined;
  completionPromise?: string | undefined;
  description?: string | undefined;
};

/** The defaults of a loop in a session (S0-03). */
export const defaultRalphLoopConfig: RalphLoopConfig = {
  enabled: true,
  defaultMaxIterations: 100,
  defaultCompletionPromise: "DONE",
  continuationDelay: 500,
};

/** The name of the hook, and of every line it logs. */
export const ralphLoopHookName = "ralph-loop";

/** The recovery window after an error that is not an abort (S0-30). */
export const recoveryWindowMs = 5000;

/** Whether loops of this configuration continue; a disabled one keeps what is stored (S0-02). */
export function areContinued({ enabled }: Pick<RalphLoopConfig, "enabled">): boolean {
  return enabled;
}

/** A given key wins, others keep their defaults (S0-04). */
export function mergeLoopConfig(given: Partial<RalphLoopConfig> | null = {}): RalphLoopConfig {
  const set = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  return { ...defaultRalphLoopConfig, ...set };
}

/** The loop of a start request, or why it is refused (CW-0I, R-09, R-53). */
export function planLoop(
  config: RalphLoopConfig,
  asked: { sessionId: string; prompt: string; options: StartLoopOptions; startedAt: string },
): RalphLoopState | string {
  const { sessionId, prompt, options, startedAt } = asked;
  const maxIterations = options.maxIterations ?? config.defaultMaxIterations;
  const completionPromise = options.completionPromise ?? config.defaultCompletionPromise;
  const { continuationDelay } = config;
  if (!config.enabled) return "the loop is disabled by the configuration (enabled: false)";
  if (!isSessionId(sessionId)) return `"${String(sessionId)}" names no session`;
  if (typeof prompt !== "string") return "the prompt is not a text";
  if (!isCount(maxIterations))
    return `maxIterations is ${String(maxIterations)}, expected a whole number of at least 1`;
  if (typeof completionPromise !== "string" || completionPromise.trim() === "")
    return "completionPromise is blank, expected a text such as DONE";
  if (!isContinuationDelay(continuationDelay))
    return `continuationDelay is ${String(continuationDelay)}, expected milliseconds from 0 to ${continuationDelayMsMax}`;
  const description = options.description === undefined ? {} : { description: options.description };
  return { active: true, iteration: 1, maxIterations, completionPromise, startedAt, prompt, sessionId, ...description };
}

/** An hour; a longer delay is a mistake. */
export const continuationDelayMsMax = 3_600_000;

/** Whether a loop can wait this long before it continues. */
export function isContinuationDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= continuationDelayMsMax;
}

/** The engine's numbers for a loop in a session: one context, promises only, the host's turns may be doubted. */
export function sessionPolicy(
  loop: Pick<RalphLoopState, "maxIterations" | "completionPromise">,
  given: { continuationDelay: number; gates: readonly Gate[]; contractHash: string; requireProgress?: boolean },
): Policy {
  const { continuationDelay, gates, contractHash, requireProgress = false } = given;
  return {
    kind: "session",
    iterationsMax: loop.maxIterations,
    completionText: loop.completionPromise,
    signals: ["promise"],
    requireProgress: requireProgress && gates.length === 0,
    claimBy: "tag",
    gates: [...gates],
    contract: { revision: 1, hash: contractHash },
    hasDelivery: false,
    hasFinalDelivery: false,
    canReject: false,
    emptyTurnsMax: null,
    turnIdleMs: null,
    turnWallMs: null,
    resultGraceMs: 0,
    restartDelayMs: continuationDelay,
    retryDelayMs: 0,
    failuresMax: 5,
    unchangedMax: null,
    budgetUsd: null,
    budgetTokens: null,
    budgetMs: null,
    settling: { waitMs: { error: recoveryWindowMs, background: 5000, silence: 60_000 }, longestMs: 3_600_000 },
    context: "continue",
    seed: 0,
  };
}

/** The engine's numbers for a session without a loop: every stop is judged by the gates, for as long as the session lives. */
export function stopsPolicy(gates: readonly Gate[], contractHash: string): Policy {
  const loop = { maxIterations: 1, completionPromise: "" };
  return {
    ...sessionPolicy(loop, { continuationDelay: 0, gates, contractHash }),
    claimBy: "stop",
    iterationsMax: null,
    unchangedMax: equalReasonsMax,
    failuresMax: null,
    settling: null,
  };
}
