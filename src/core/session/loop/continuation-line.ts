import type { Feedback } from "../../run/feedback.ts";
import { feedbackNotes } from "../../prompts/compose-prompt.ts";
import { truncateText } from "../../text/truncate.ts";
import type { RalphLoopState } from "./loop-state.ts";

/**
 * The continuation in one line, for a host that shows people every word the agent is sent back with. The agent has the task
 * in its context; the reasons of the iteration before are shortened, outputs most of all, because a red check can be run again.
 */
export function continuationLine(loop: RalphLoopState, iteration: number, feedback: readonly Feedback[]): string {
  const { maxIterations, completionPromise } = loop;
  const reasons = feedbackNotes(feedback.map(withShortOutput)).slice(0, reasonsMax).map(shortened);
  return [
    `Ralph: iteration ${iteration} of ${maxIterations}, ${stateOf(feedback, completionPromise)}.`,
    ...reasons.map(withStop),
    `Continue; when FULLY complete, output <promise>${completionPromise}</promise>.`,
  ].join(" ");
}

/** How the iteration before ended, in the fewest words. */
function stateOf(feedback: readonly Feedback[], promise: string): string {
  const names = feedback.flatMap((item) => (item.kind === "output" || item.kind === "reason" ? [item.name] : []));
  // A criterion of the project is named by its promise, which says nothing here.
  const red = names.map((name) => (name === promise ? "the project's criterion" : name));
  if (red.length > 0)
    return `${onOneLine(truncateText(red.join(", "), namesCharsMax, "head"))} ${red.length === 1 ? "is" : "are"} red`;
  if (feedback.some(({ kind }) => kind === "unchanged")) return "nothing has changed yet";
  return "no promise yet";
}

const namesCharsMax = 200;

/** A host may cut a text after ten thousand characters. */
const reasonsMax = 10;

/** Two lines of a terminal of 80 columns: more of them would be a block for the person who watches. */
const outputCharsMax = 160;

/** Both ends: programs say what went wrong at one of them. */
function withShortOutput(item: Feedback): Feedback {
  if (item.kind !== "reason" || !("text" in item.output)) return item;
  return { ...item, output: { text: truncateText(onOneLine(item.output.text), outputCharsMax, "both") } };
}

/** A judge's reason fits. */
const reasonCharsMax = 600;

function shortened(note: string): string {
  return onOneLine(truncateText(note, reasonCharsMax, "both"));
}

/** The sentence after it begins with a capital letter. */
function withStop(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
