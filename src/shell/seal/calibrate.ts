import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import {
  type CalibratedEnd,
  type Calibration,
  compareCalibration,
  isRunAgain,
} from "../../core/verification/sealed/calibration.ts";
import type { TestCase } from "../../core/verification/reports/test-case.ts";
import { matchPaths } from "../../core/verification/protect/path-glob.ts";

/** A check that is run in both places. Each call runs it once. */
export type CalibratedCheck = {
  name: string;
  inTree(): Promise<CalibratedEnd>;
  inCopy(): Promise<CalibratedEnd>;
};

/** Where the two places are. */
export type CalibrateOptions = {
  project: string;
  copy: string;
  /** Whether the base has a file at a path. */
  isInBase: (path: string) => boolean;
};

/** A check as it ended in both places, and the tests of further runs in the copy. */
export type CalibratedRuns = Calibration & {
  name: string;
  tree: CalibratedEnd;
  sealed: CalibratedEnd;
  again: (readonly TestCase[])[];
};

/** Folders that builds and generators fill, by habit. */
const builtFolders = matchPaths(["{dist,build,out,lib,gen,generated,__generated__,.next,.nuxt,coverage}/**"]);

/** Runs each check once in the tree and once in a sealed copy of the base, one after the other, and compares them. */
export async function calibrateChecks(
  checks: readonly CalibratedCheck[],
  { project, copy, isInBase }: CalibrateOptions,
): Promise<CalibratedRuns[]> {
  const leftBehind = (path: string): "file" | "built" | null => {
    if (isInBase(path) || !existsSync(join(project, path))) return null;
    return lstatSync(join(project, path)).isFile() && !builtFolders(path) ? "file" : "built";
  };
  const found = [];
  for (const check of checks) {
    const [tree, sealed] = [await check.inTree(), await check.inCopy()];
    const again = isRunAgain({ tree, sealed }) ? await runsAgain(check) : [];
    const compared = compareCalibration({ tree, sealed, again, copy, leftBehind });
    found.push({ name: check.name, tree, sealed, again, ...compared });
  }
  return found;
}

/** Runs in the copy, the first included: what differs in none of them belongs to the place. */
const runsMax = 3;

async function runsAgain(check: CalibratedCheck): Promise<(readonly TestCase[])[]> {
  const runs: (readonly TestCase[])[] = [];
  while (runs.length < runsMax - 1) runs.push((await check.inCopy()).tests ?? []);
  return runs;
}
