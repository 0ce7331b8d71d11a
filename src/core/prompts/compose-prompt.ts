import { verificationFailed } from "../verification/verification-texts.ts";
import type { TextRef } from "../verification/verdict.ts";
import type { Guardrail, Settings } from "../settings/settings.ts";
import type { BaselineLabel, Feedback } from "../run/feedback.ts";
import {
  baselineBrokenNote,
  claimInstruction,
  iterationLine,
  mentionedNote,
  regressedNote,
  unchangedNote,
  wrongPromiseNote,
} from "./prompt-texts.ts";

/** The parts of a turn's prompt. Blobs are loaded first: composing is pure. */
export type PromptParts = {
  base: string;
  feedback: readonly Feedback[];
  readText: (ref: TextRef) => string;
  settings: Settings;
  iteration: number;
  iterationsMax: number | null;
};

/** Base prompt, reasons of the previous iteration, how to claim, outermost the iteration line (S1-39, S1-40, CW-1C). */
export function composePrompt(parts: PromptParts): string {
  const { settings } = parts;
  const failed = parts.feedback.filter((item) => item.kind === "output");
  const messages = (action: Guardrail["failAction"]) =>
    failed.flatMap((item) => {
      // A command outside the settings' guardrails comes from a task list that people edited.
      const own = settings.guardrails.find(({ command }) => command === item.name);
      const guardrail: Guardrail = own ?? { command: item.name, failAction: "APPEND" };
      return guardrail.failAction === action ? [guardrailMessage(guardrail, item, parts.readText)] : [];
    });
  const replaced = messages("REPLACE");
  const base = replaced.length > 0 ? replaced.join("\n\n") : parts.base;
  const notes = parts.feedback.flatMap((item) => note(item, parts.readText));
  const composed = [...messages("PREPEND"), base, ...messages("APPEND"), ...notes].join("\n\n");
  const instructed = withInstruction(composed, settings);
  if (!settings.includeIterationCountInPrompt) return instructed;
  return `${iterationLine(parts.iteration, parts.iterationsMax)}\n\n${instructed}`;
}

/** Only the notes, for callers with a prompt of their own; texts in blobs are left out. */
export function feedbackNotes(feedback: readonly Feedback[]): string[] {
  return feedback.flatMap((item) => note(item, (ref) => ("text" in ref ? ref.text : "")));
}

/** What the agent reads about a failed guardrail (S1-57); the hint is literal and never truncated. */
function guardrailMessage(
  guardrail: Guardrail,
  failure: Extract<Feedback, { kind: "output" }>,
  readText: (ref: TextRef) => string,
): string {
  return [
    `Guardrail "${guardrail.command}" failed with exit code ${failure.exitCode}.`,
    ...labelLines(failure.label),
    ...(guardrail.hint === undefined || guardrail.hint === "" ? [] : [`Hint: ${guardrail.hint}`]),
    `Output file: ${failure.logFile ?? "none"}`,
    "Output (truncated):",
    readText(failure.output),
  ].join("\n");
}

/** Whether the check was red before the first turn or turned red later; it must be green either way. */
function labelLines(label: BaselineLabel | undefined): string[] {
  if (label === undefined) return [];
  return [label === "regressed" ? regressedNote : baselineBrokenNote];
}

function note(item: Feedback, readText: (ref: TextRef) => string): string[] {
  switch (item.kind) {
    case "output":
      return [];
    case "reason":
      return [[verificationFailed(item.reason), ...labelLines(item.label), readText(item.output)].join("\n").trimEnd()];
    case "note":
      return [item.text];
    case "unchanged":
      return [unchangedNote];
    case "mentioned":
      return [mentionedNote];
    case "wrong-promise":
      return [wrongPromiseNote(item.found, item.expected)];
    case "answer":
      return [`Answer to your question: ${readText(item.text)}`];
  }
}

/** The agent is told how to claim, unless the prompt already shows a tag with the expected text. */
function withInstruction(composed: string, settings: Settings): string {
  const expected = settings.completionResponse;
  const { signals } = settings.completion;
  if (!settings.completion.instruction || signals.some((tag) => holdsTag(composed, tag, expected))) return composed;
  const tag = signals.includes("promise") ? "promise" : "response";
  return `${composed}\n\n${claimInstruction(tag, expected)}`;
}

function holdsTag(text: string, tag: string, expected: string): boolean {
  const escaped = expected.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`<${tag}>\\s*${escaped}\\s*</${tag}>`, "iu").test(text);
}
