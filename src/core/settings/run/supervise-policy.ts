import type { Policy } from "../../run/policy.ts";
import { isLooped } from "./is-looped.ts";
import { runPolicy } from "./run-policy.ts";
import type { Settings } from "../settings.ts";

/** What the command line says about restarts. */
export type RestartLimits = {
  /** Runs of the agent at most (CW-3D). */
  restartsMax: number;
  restartDelayMs: number;
  turnIdleMs: number | null;
  turnWallMs: number | null;
};

/** Default limits (S3-02, CW-3A): no time limit ends a working agent. */
export const restartLimitsDefault: RestartLimits = {
  restartsMax: 100,
  restartDelayMs: 1000,
  turnIdleMs: null,
  turnWallMs: null,
};

/** The engine's numbers for a `ralph supervise`: DONE is the claim, failures are restarted. */
export function supervisePolicy(settings: Settings, limits: RestartLimits): Policy {
  const { restartsMax, restartDelayMs, turnIdleMs, turnWallMs } = limits;
  return {
    ...runPolicy(settings),
    kind: "supervise",
    iterationsMax: isLooped(settings) ? restartsMax : 1,
    requireProgress: false,
    hasDelivery: false,
    hasFinalDelivery: false,
    turnIdleMs,
    turnWallMs,
    claimBy: "done-file",
    restartDelayMs,
    isRestartDelayBounded: true,
    // 0: the delay stays as it is, however many runs fail.
    retryDelayMs: settings.restart.backoff ? restartDelayMs : 0,
    failuresMax: null,
    unchangedMax: null,
  };
}

/** The settings of a supervised run: no delivery, and no instruction about tags in the prompt. */
export function supervisedSettings(settings: Settings): Settings {
  return {
    ...settings,
    scm: null,
    includeIterationCountInPrompt: false,
    completion: { ...settings.completion, instruction: false, requireProgress: false },
    breaker: { failures: null, noProgress: null },
  };
}
