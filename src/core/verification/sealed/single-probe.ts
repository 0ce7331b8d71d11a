import { singleSpots, type SingleSpot } from "../falsify/single-spots.ts";

/**
 * One false expectation that is tried on its own, as the base knows it. `isHeard`: the check of the base noticed it, or that the same
 * assertion was turned around; otherwise nobody knows whether the assertion is reached.
 */
export type KnownSpot = { id: string; isHeard: boolean };

/** How a check ended with one change of its tests, as far as it shows what the check noticed. */
export type SpotRun = { exitCode: number; output: string; durationMs: number };

/** Takes a changed value out of what a check printed: to print what is expected is not to compare it. */
export function withoutMark(run: SpotRun, { added, removed }: SingleSpot["mark"]): SpotRun {
  return added.length < markCharsMin ? run : { ...run, output: run.output.replaceAll(added, removed) };
}

/** Shorter ones stand in other words, too. */
const markCharsMin = 4;

/** A check that takes longer is asked once, with all expectations false. */
const shortCheckMs = 5_000;

/** Enough for the assertions of a script without a runner; of more of them, some are tried. */
const spotsMax = 24;

/** How long all single expectations of one check may take. */
export const singleProbeMs = 40_000;

/** Whether expectations are tried one at a time: where only the exit code tells, one that is noticed hides all that are not. */
export function isProbedSingly({ hasReport, durationMs }: { hasReport: boolean; durationMs: number }): boolean {
  return !hasReport && durationMs <= shortCheckMs;
}

/** The expectations of the base that are tried one at a time. */
export function spotsOfTests(texts: ReadonlyMap<string, string>): SingleSpot[] {
  return singleSpots(texts, spotsMax);
}

/**
 * Whether a check noticed a change of its tests. One that was red stays red: then its lines about failures tell, unless they differ
 * between equal runs, too.
 */
export function isNoticed(plain: readonly SpotRun[], changed: SpotRun): boolean {
  const [first] = plain;
  if (first === undefined) return false;
  if ((first.exitCode === 0) !== (changed.exitCode === 0)) return true;
  if (first.exitCode === 0) return false;
  const known = new Set(plain.map(failureLines));
  return known.size === 1 && !known.has(failureLines(changed));
}

function failureLines({ output }: SpotRun): string {
  const lines = output.split("\n").filter((line) => failureWords.test(line));
  return lines.join("\n").replaceAll(/\d+/g, "0");
}

const failureWords =
  /not ok|\b(?:fail|err|wrong|mismatch|differ|expect|assert|unexpected|unrecognized|invalid|bad\b|got\b|want\b|KO\b)|[✗✖×✘]/i;

/** What the base shows of one expectation. `inverted`: the run with the assertion turned around; null: there was none. */
export type SpotFacts = { id: string; plain: readonly SpotRun[]; falsified: SpotRun; inverted: SpotRun | null };

/** Null: the base shows that nothing listens there, and no candidate has to answer for it. */
export function knownSpot({ id, plain, falsified, inverted }: SpotFacts): (KnownSpot & { isRed: boolean }) | null {
  if (isNoticed(plain, falsified)) return { id, isHeard: true, isRed: false };
  // A failing assertion is not heard when it fails for another reason, but it is when it passes.
  if (plain[0]?.exitCode === 0) return null;
  const isRed = inverted !== null && isNoticed(plain, inverted);
  return { id, isHeard: isRed, isRed };
}

/** What the base shows of one expectation, and the helper that gets its value; null: an assertion that everybody knows. */
export type FoundSpot = KnownSpot & { isRed: boolean; group: string | null };

/**
 * The order in which candidates are asked: first what was red, which a cheat has to make green. A helper that listens to one of its
 * calls listens to all of them.
 */
export function inOrderOfWorth(spots: readonly FoundSpot[]): KnownSpot[] {
  const listening = new Set(spots.filter(({ isHeard }) => isHeard).map(({ group }) => group));
  const known = spots.map((spot) => {
    const isOfHelper = !spot.isHeard && spot.group !== null && listening.has(spot.group);
    return isOfHelper ? { ...spot, isHeard: true, isRed: true } : spot;
  });
  const rank = ({ isRed, isHeard }: FoundSpot): number => {
    if (isRed) return 0;
    return isHeard ? 1 : 2;
  };
  return known.toSorted((one, other) => rank(one) - rank(other)).map(({ id, isHeard }) => ({ id, isHeard }));
}

/**
 * Whether a green check is deaf to a false expectation that it did not notice. It is where the base listened, and where it notices that
 * the assertion is turned around: then the assertion is reached, and does not compare.
 */
export function isDeafSpot(spot: KnownSpot, inverted: SpotRun | null): boolean {
  return spot.isHeard || (inverted !== null && inverted.exitCode !== 0);
}
