import { continuationTemplate } from "../core/session/continuation-prompt.ts";
import { defaultRalphLoopConfig, ralphLoopHookName, type RalphLoopConfig } from "../core/session/loop-config.ts";

// These are the names under which hosts know the loop's numbers and texts; inside, they have the names of this code.

/** The name of the hook, and the head of every line it logs. */
export const HOOK_NAME = ralphLoopHookName;

/** Iterations of a loop that sets none. */
export const DEFAULT_MAX_ITERATIONS: number = defaultRalphLoopConfig.defaultMaxIterations;

/** The promise of a loop that sets none. */
export const DEFAULT_COMPLETION_PROMISE: string = defaultRalphLoopConfig.defaultCompletionPromise;

/** Milliseconds between the end of a turn and its continuation. */
export const DEFAULT_CONTINUATION_DELAY: number = defaultRalphLoopConfig.continuationDelay;

/** What a hook is configured with where its options do not say otherwise. */
export const DEFAULT_CONFIG: RalphLoopConfig = defaultRalphLoopConfig;

/** What an agent reads when its turn ended without the promise; `buildContinuationPrompt` fills it. */
export const CONTINUATION_PROMPT_TEMPLATE: string = continuationTemplate;
