/** What several verdicts come to: the work is verified only when all passed and at least one rests on more than a word. */
export function sumVerdicts(verdicts: readonly { isPassed: boolean; isUnverified: boolean }[]): {
  isPassed: boolean;
  isVerified: boolean;
} {
  const isPassed = verdicts.every((verdict) => verdict.isPassed);
  return { isPassed, isVerified: isPassed && verdicts.some(({ isUnverified }) => !isUnverified) };
}
