import type { Verdict } from "../verdict.ts";
import { type SealedStep, sealedStepNames } from "./sealed-steps.ts";

const words: Record<SealedStep, string> = {
  tools: "the programs of before the first turn",
  locks: "the packages of before the first turn",
  forbid: "no added line switches a check off",
  repeats: "tests that turned green stay green",
  "own-tests": "the changed tests pass, too",
  probe: "false expectations are noticed",
  mutants: "small mistakes are noticed",
};

/** A step as verdicts name it. */
export function stepTitle(step: SealedStep): string {
  return `sealed: ${words[step]}`;
}

/** The step that a verdict speaks of; null: it is another check. */
function stepOfTitle(title: string): SealedStep | null {
  return sealedStepNames.find((step) => stepTitle(step) === title) ?? null;
}

/**
 * The command by which a person sees a refusal of a sealed verification again; `target`: a run, or BASE..HEAD. Null: the verdict refuses
 * nothing, or was not sealed.
 */
export function reproduceCommand(
  { name, isPassed, isSealed }: Pick<Verdict, "name" | "isPassed"> & { isSealed?: boolean },
  target: string,
): string | null {
  const step = stepOfTitle(name);
  if (isPassed || (step === null && isSealed !== true)) return null;
  return `ralph verify ${target}${step === null ? "" : ` --step ${step}`}`;
}
