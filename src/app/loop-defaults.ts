import { continuationTemplate } from "../core/session/loop/continuation-prompt.ts";
import { defaultRalphLoopConfig, ralphLoopHookName, type RalphLoopConfig } from "../core/session/loop/loop-config.ts";

// These are the names under which hosts know the loop's numbers and texts; inside, they have the names of this code.

/**
 * The name of the hook, and the head of every line it logs.
 *
 * @example
 * ```ts
 * import { HOOK_NAME } from "ralph";
 *
 * console.log(`[${HOOK_NAME}] It begins.`);
 * ```
 */
export const HOOK_NAME = ralphLoopHookName;

/**
 * Iterations of a loop that sets none.
 *
 * @example
 * ```ts
 * import { DEFAULT_MAX_ITERATIONS } from "ralph";
 *
 * console.log(DEFAULT_MAX_ITERATIONS); // 100
 * ```
 */
export const DEFAULT_MAX_ITERATIONS: number = defaultRalphLoopConfig.defaultMaxIterations;

/**
 * The promise of a loop that sets none.
 *
 * @example
 * ```ts
 * import { DEFAULT_COMPLETION_PROMISE } from "ralph";
 *
 * console.log(`<promise>${DEFAULT_COMPLETION_PROMISE}</promise>`); // <promise>DONE</promise>
 * ```
 */
export const DEFAULT_COMPLETION_PROMISE: string = defaultRalphLoopConfig.defaultCompletionPromise;

/**
 * Milliseconds between the end of a turn and its continuation.
 *
 * @example
 * ```ts
 * import { DEFAULT_CONTINUATION_DELAY } from "ralph";
 *
 * console.log(DEFAULT_CONTINUATION_DELAY); // 500
 * ```
 */
export const DEFAULT_CONTINUATION_DELAY: number = defaultRalphLoopConfig.continuationDelay;

/**
 * What a hook is configured with where its options do not say otherwise.
 *
 * @example
 * ```ts
 * import { DEFAULT_CONFIG } from "ralph";
 *
 * console.log(DEFAULT_CONFIG.defaultMaxIterations); // 100
 * ```
 */
export const DEFAULT_CONFIG: RalphLoopConfig = defaultRalphLoopConfig;

/**
 * What an agent reads when its turn ended without the promise; `buildContinuationPrompt` fills it.
 *
 * @example
 * ```ts
 * import { CONTINUATION_PROMPT_TEMPLATE } from "ralph";
 *
 * console.log(CONTINUATION_PROMPT_TEMPLATE.split("\n")[0]); // [RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]
 * ```
 */
export const CONTINUATION_PROMPT_TEMPLATE: string = continuationTemplate;
