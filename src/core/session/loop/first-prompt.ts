import { claimInstruction } from "../../prompts/prompt-texts.ts";
import { truncateText } from "../../text/truncate.ts";
import type { RalphLoopState } from "./loop-state.ts";

/** Hosts cut what is longer than ten thousand characters; the command above it has the whole task. */
const taskCharsMax = 8000;

/** What the agent reads beside the command that starts a loop (S0-40). */
export function firstPrompt(loop: RalphLoopState): string {
  const { prompt, maxIterations } = loop;
  const task = prompt.length > taskCharsMax ? "Work on the task of the command above." : `Task:\n${prompt}`;
  return loopText(`A Ralph loop has started in this session (iteration 1 of ${maxIterations}).`, task, loop);
}

/** What the agent reads when its session begins again with a loop: its context may have been summed up, and the task lost. */
export function keptPrompt(loop: RalphLoopState): string {
  const task = `Task:\n${truncateText(loop.prompt, taskCharsMax, "both")}`;
  return loopText(`This session has a Ralph loop at iteration ${loop.iteration} of ${loop.maxIterations}.`, task, loop);
}

function loopText(standing: string, task: string, loop: RalphLoopState): string {
  const { completionPromise, iteration, maxIterations } = loop;
  const rule =
    iteration < maxIterations
      ? "When you stop without an accepted claim you are sent back to the task."
      : "No further iteration follows.";
  return [`${standing} ${rule}`, task, claimInstruction("promise", completionPromise)].join("\n\n");
}

/** The task with how to claim, unless it says so itself; null: no loop began (S0-40). */
export function withInstruction(prompt: string, promise: string | null): string {
  if (promise === null || prompt.includes(`<promise>${promise}</promise>`)) return prompt;
  return `${prompt}\n\n${claimInstruction("promise", promise)}`;
}
