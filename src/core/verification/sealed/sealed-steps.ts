/**
 * What is tried on a claim beside one run of the checks in a sealed copy, cheapest first; the first refusal ends it. `tools`: the
 * programs are those of before the first turn; `locks`: so are the packages; `forbid`: no added line switches a check off;
 * `repeats`: tests that turned green stay green; `own-tests`: changed tests pass with the code, too; `probe`: false expectations
 * are noticed.
 */
export type SealedStep = "tools" | "locks" | "forbid" | "repeats" | "own-tests" | "probe";

/** How much the settings want. */
export type SealedEffort = {
  effort: "quick" | "standard";
  repeat: number;
  probe: boolean;
};

/** What the checks of the same claim have shown in the sealed copy. */
export type SealedFacts = {
  /** Protected tests of the base have another content in the candidate, or are gone. */
  areTestsChanged: boolean;
  /** Tests, or checks without a report, that were red or missing at the base and are green now. */
  turnedCount: number;
  /** A check is red in tests that the candidate changed: only whether its own form of them is green matters then. */
  isDisputable: boolean;
  /** Another gate verified every check of this candidate already. */
  isProven: boolean;
  /** How long the slowest check took. */
  longestMs: number;
};

/** Beyond this, repeats would hold a claim up for longer than most turns take. */
const slowCheckMs = 120_000;

/** The steps of one sealed verification, in their order. */
export function sealedSteps(wanted: SealedEffort, facts: SealedFacts): SealedStep[] {
  const { effort } = wanted;
  const isQuick = effort === "quick";
  if (facts.isProven) return ["tools", "locks"];
  if (facts.isDisputable) return ["tools", "locks", "own-tests"];
  const isRepeated = !isQuick && wanted.repeat > 1 && facts.turnedCount > 0;
  const isSlow = facts.longestMs > slowCheckMs;
  return [
    "tools" as const,
    "locks" as const,
    ...(isQuick ? [] : (["forbid"] as const)),
    ...(isRepeated && !isSlow ? (["repeats"] as const) : []),
    ...(facts.areTestsChanged && !isQuick ? (["own-tests"] as const) : []),
    ...(wanted.probe && !isQuick ? (["probe"] as const) : []),
  ];
}
