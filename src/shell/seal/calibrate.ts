import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { type CalibratedEnd, type Calibration, compareCalibration } from "../../core/verification/calibration.ts";
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

/** Folders that builds and generators fill, by habit. */
const builtFolders = matchPaths(["{dist,build,out,lib,gen,generated,__generated__,.next,.nuxt,coverage}/**"]);

/** Runs each check once in the tree and once in a sealed copy of the base, one after the other, and compares them. */
export async function calibrateChecks(
  checks: readonly CalibratedCheck[],
  { project, copy, isInBase }: CalibrateOptions,
): Promise<(Calibration & { name: string; tree: CalibratedEnd; sealed: CalibratedEnd })[]> {
  const leftBehind = (path: string): "file" | "built" | null => {
    if (isInBase(path) || !existsSync(join(project, path))) return null;
    return lstatSync(join(project, path)).isFile() && !builtFolders(path) ? "file" : "built";
  };
  const found = [];
  for (const check of checks) {
    const [tree, sealed] = [await check.inTree(), await check.inCopy()];
    found.push({ name: check.name, tree, sealed, ...compareCalibration({ tree, sealed, copy, leftBehind }) });
  }
  return found;
}
