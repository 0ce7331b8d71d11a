import { allAppearMet, notEvident } from "./verification-texts.ts";

/** Judges without a model: the output must contain each criterion, in any letter case (S2-25). Weak, as the docs say. */
export function judgeByWords(criteria: readonly string[], output: string): { isPassed: boolean; reason: string } {
  const words = output.toLowerCase();
  const missing = criteria.find((criterion) => !words.includes(criterion.toLowerCase()));
  if (missing !== undefined) return { isPassed: false, reason: notEvident(missing) };
  // Without criteria there is no evidence.
  if (criteria.length === 0) return { isPassed: false, reason: "There is no criterion to verify" };
  return { isPassed: true, reason: allAppearMet };
}
