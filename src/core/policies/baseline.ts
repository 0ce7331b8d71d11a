/** How a red check stood before the first turn. The word changes, the gate never does. */
export type BaselineLabel = "baseline-broken" | "regressed";

/** The label of a check that is red now; null when nobody looked before the first turn. */
export function baselineLabel(
  baseline: readonly { name: string; isPassed: boolean }[] | null,
  name: string,
): BaselineLabel | null {
  const before = baseline?.find((each) => each.name === name);
  if (before === undefined) return null;
  return before.isPassed ? "regressed" : "baseline-broken";
}
