import { formatDuration } from "../../text/duration.ts";
import { mutantsWanted, type SealedEffort, type SealedStep } from "./sealed-steps.ts";
import { stepTitle } from "./step-titles.ts";

/** Where a sealed verification stands: the step that begins, its number, and how long the rest takes by the last run of the checks. */
export type StepProgress = { title: string; at: number; of: number; leftMs: number };

/** What the steps of one verification cost. `suiteMs`: all checks once; `singleMs`: expectations that are tried one at a time. */
export type StepCosts = { wanted: SealedEffort; suiteMs: number; singleMs: number };

/** A verification that is over sooner needs no progress: its verdicts follow at once. */
const shownMs = 2_000;

/** The progress to show before a step; null: the rest is short. */
export function progressOf(steps: readonly SealedStep[], at: number, costs: StepCosts): StepProgress | null {
  const step = steps[at];
  const leftMs = steps.slice(at).reduce((sum, each) => sum + costOf(each, costs), 0);
  if (step === undefined || leftMs < shownMs || costOf(step, costs) === 0) return null;
  return { title: stepTitle(step), at: at + 1, of: steps.length, leftMs };
}

/** `step 4 of 6, about 40s left: …` */
export function stepWords({ title, at, of, leftMs }: StepProgress): string {
  return `step ${at} of ${of}, about ${formatDuration(leftMs)} left: ${title}`;
}

function costOf(step: SealedStep, { wanted, suiteMs, singleMs }: StepCosts): number {
  switch (step) {
    case "tools":
    case "locks":
    case "forbid":
      return 0;
    case "repeats":
      return (wanted.repeat - 1) * suiteMs;
    case "own-tests":
      return suiteMs;
    case "probe":
      return suiteMs + singleMs;
    case "mutants":
      return mutantsWanted(wanted) * suiteMs;
  }
}
