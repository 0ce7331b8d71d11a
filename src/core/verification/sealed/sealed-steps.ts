/**
 * What is tried on a claim beside one run of the checks in a sealed copy, cheapest first; the first refusal ends it. `tools`: the
 * programs are those of before the first turn; `locks`: so are the packages; `forbid`: no added line switches a check off;
 * `repeats`: tests that turned green stay green; `own-tests`: changed tests pass with the code, too; `probe`: false expectations
 * are noticed; `mutants`: so are small mistakes in the changed lines.
 */
export type SealedStep = (typeof sealedStepNames)[number];

/** All steps, in their order. */
export const sealedStepNames = ["tools", "locks", "forbid", "repeats", "own-tests", "probe", "mutants"] as const;

/** How much the settings want. */
export type SealedEffort = {
  effort: "quick" | "standard" | "thorough";
  repeat: number;
  probe: boolean;
  /** Absent in runs of earlier versions. */
  mutants?: number;
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
export const slowCheckMs = 120_000;

/** The steps of one sealed verification, in their order. */
export function sealedSteps(wanted: SealedEffort, facts: SealedFacts): SealedStep[] {
  const { effort } = wanted;
  const isQuick = effort === "quick";
  if (facts.isProven) return ["tools", "locks"];
  if (facts.isDisputable) return ["tools", "locks", "own-tests"];
  const isRepeated = !isQuick && wanted.repeat > 1 && facts.turnedCount > 0;
  const isSlow = effort !== "thorough" && facts.longestMs > slowCheckMs;
  return [
    "tools" as const,
    "locks" as const,
    ...(isQuick ? [] : (["forbid"] as const)),
    ...(isRepeated && !isSlow ? (["repeats"] as const) : []),
    ...(facts.areTestsChanged && !isQuick ? (["own-tests"] as const) : []),
    ...(wanted.probe && !isQuick ? (["probe"] as const) : []),
    ...(mutantsWanted(wanted) > 0 ? (["mutants"] as const) : []),
  ];
}

/** How many mutants are tried: those of the settings, and with all effort some in any case. */
export function mutantsWanted({ effort, mutants = 0 }: Pick<SealedEffort, "effort" | "mutants">): number {
  if (effort === "quick") return 0;
  return effort === "thorough" && mutants === 0 ? thoroughMutants : mutants;
}

/** Enough to tell a suite that looks at the change from one that does not, and as many runs of it. */
const thoroughMutants = 10;
