import type { BaselineLabel } from "../run/feedback.ts";

/** The label of a red check; null when no baseline was taken before the first turn. */
export function baselineLabel(
  baseline: readonly { name: string; isPassed: boolean }[] | null,
  name: string,
): BaselineLabel | null {
  const before = baseline?.find((each) => each.name === name);
  if (before === undefined) return null;
  return before.isPassed ? "regressed" : "baseline-broken";
}
