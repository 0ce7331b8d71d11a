import type { Feedback } from "../../run/feedback.ts";
import { feedbackNotes } from "../../prompts/compose-prompt.ts";
import { fillTemplate } from "../../text/fill-template.ts";
import type { RalphLoopState } from "./loop-state.ts";

/** The first line of every continuation; by it one is found again in a session's messages. */
const headingTemplate = "[RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]";

/** What an agent reads when its turn ended without a claim. Fixed by S0-21, with its two trailing spaces. */
export const continuationTemplate = templateWith("Your previous attempt did not output the completion promise.");

/** The same after a claim that a check, or a tree without a change, refused. */
const refusedTemplate = templateWith("You output the completion promise, and it was refused for the reasons below.");

function templateWith(sentence: string): string {
  return `${headingTemplate}

${sentence} Continue working on the task.

IMPORTANT:
- Review your progress so far
- Continue from where you left off  
- When FULLY complete, output: <promise>{{PROMISE}}</promise>
- Do not stop until the task is truly done

Original task:
{{PROMPT}}`;
}

/**
 * Fills a continuation in one pass; values are never scanned again (S0-20, CW-0C).
 *
 * @example
 * ```ts
 * import { buildContinuationPrompt } from "ralph";
 *
 * const state = { iteration: 2, maxIterations: 5, completionPromise: "DONE", prompt: "Fix the tests." };
 * console.log(buildContinuationPrompt("{{ITERATION}}/{{MAX}}: {{PROMPT}}", state)); // 2/5: Fix the tests.
 * ```
 */
export function buildContinuationPrompt(
  template: string,
  state: Pick<RalphLoopState, "iteration" | "maxIterations" | "completionPromise" | "prompt">,
): string {
  return fillTemplate(template, {
    ITERATION: String(state.iteration),
    MAX: String(state.maxIterations),
    PROMISE: state.completionPromise,
    PROMPT: state.prompt,
  });
}

/** The continuation of a turn, with the reasons the iteration before it left. */
export function continuationPrompt(loop: RalphLoopState, iteration: number, feedback: readonly Feedback[]): string {
  // The checks of a session run on a claim only.
  const isRefused = feedback.some(({ kind }) => kind === "output" || kind === "reason" || kind === "unchanged");
  const template = isRefused ? refusedTemplate : continuationTemplate;
  const base = buildContinuationPrompt(template, { ...loop, iteration });
  return [base, ...feedbackNotes(feedback)].join("\n\n");
}

/** How the continuation of an iteration begins; the first iteration has none. */
export function continuationHeading(loop: RalphLoopState, iteration: number): string | null {
  if (iteration <= 1) return null;
  return buildContinuationPrompt(headingTemplate, { ...loop, iteration });
}
