import type { Policy } from "../../run/policy.ts";
import { isFinalTask } from "./delivery-task.ts";
import type { Settings } from "../settings.ts";
import { isLooped } from "./is-looped.ts";

/**
 * The engine's numbers for a `ralph run`, from its settings.
 *
 * @example
 * ```ts
 * import { parseSettings, runPolicy } from "ralph";
 *
 * const policy = runPolicy(parseSettings([{ source: "example", value: { completionResponse: "SHIPPED" } }]));
 * console.log(policy.completionText); // SHIPPED
 * ```
 */
export function runPolicy(settings: Settings): Policy {
  return {
    kind: "run",
    iterationsMax: iterationsOf(settings),
    completionText: settings.completionResponse,
    signals: settings.completion.signals,
    requireProgress: settings.completion.requireProgress ?? false,
    claimBy: "tag",
    // Added with the contract, once all its sources are known.
    gates: [],
    contract: { revision: 1, hash: "" },
    hasDelivery: settings.scm?.tasks.some((task) => !isFinalTask(task)) === true,
    hasFinalDelivery: settings.scm?.tasks.some(isFinalTask) === true,
    canReject: false,
    emptyTurnsMax: null,
    turnIdleMs: settings.agent.idleTimeout,
    turnWallMs: settings.agent.timeout,
    resultGraceMs: settings.agent.resultGrace ?? resultGraceMsWhenOff,
    restartDelayMs: 0,
    retryDelayMs: settings.agent.retryDelay ?? 0,
    failuresMax: settings.breaker.failures,
    unchangedMax: noProgressOf(settings, unchangedDefault),
    budgetUsd: settings.budget.spend,
    budgetTokens: settings.budget.tokens,
    budgetMs: settings.budget.time,
    settling: null,
    context: settings.agent.context,
    seed: 0,
  };
}

/** A run that shall not repeat is one iteration, judged like any other. */
function iterationsOf(settings: Settings): number | null {
  if (!isLooped(settings)) return 1;
  return settings.maximumIterations === "unbounded" ? null : settings.maximumIterations;
}

/** Turns in a row without any change that stop a run; a look around, a wrong way and a fresh start take fewer. */
const unchangedDefault = 5;

/** What the settings say of the breaker for runs without progress, else the default of a kind of run; null: it is off. */
export function noProgressOf({ breaker: { noProgress } }: Settings, otherwise: number): number | null {
  return noProgress === undefined ? otherwise : noProgress;
}

/** A grace switched off waits for the process as long as the idle timeout does; a day is longer than any of those. */
const resultGraceMsWhenOff = 24 * 3_600_000;
