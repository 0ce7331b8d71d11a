import { allAppearMet, notEvident } from "./verification-texts.ts";

/** Judges without a model: each criterion must stand in the output, in any case (S2-25). Weak, and said to be so. */
export function judgeByWords(criteria: readonly string[], output: string): { isPassed: boolean; reason: string } {
  const words = output.toLowerCase();
  const missing = criteria.find((criterion) => !words.includes(criterion.toLowerCase()));
  if (missing !== undefined) return { isPassed: false, reason: notEvident(missing) };
  // No criteria at all are no evidence.
  if (criteria.length === 0) return { isPassed: false, reason: "There is no criterion to verify" };
  return { isPassed: true, reason: allAppearMet };
}
