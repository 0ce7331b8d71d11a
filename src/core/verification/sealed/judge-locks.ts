import { matchPaths } from "../protect/path-glob.ts";
import { compareLocks, runnerPackages } from "../locks/compare-locks.ts";
import { readLock } from "../locks/read-lock.ts";

/** A lock file of the base and of the candidate; null: it is not there. */
export type LockPair = { path: string; base: string | null; candidate: string | null };

/** Names in one sentence. */
const namesMax = 10;

/** What changed lock files come to. */
export type LockVerdict = {
  /** Why they refuse the claim, a sentence each. */
  refusals: string[];
  /** Lock files that pin other packages than before, which only a person can allow. */
  disputed: { path: string; packages: string }[];
};

/**
 * Compares the lock files of a candidate with those of the base. A package that the base has too, with another version or content,
 * is for a person to decide; `allow` names lock files that the task may change. The packages that run tests never are.
 */
export function judgeLocks(pairs: readonly LockPair[], allow: readonly string[]): LockVerdict {
  const isAllowed = matchPaths(allow);
  const verdict: LockVerdict = { refusals: [], disputed: [] };
  for (const { path, base, candidate } of pairs) {
    if (base === null || base === candidate) continue;
    if (candidate === null) {
      verdict.refusals.push(`${path} was removed: restore it.`);
      continue;
    }
    const [former, now] = [readLock(path, base), readLock(path, candidate)];
    if (!now.isReadable) {
      verdict.refusals.push(`${path} cannot be read any more: restore it.`);
      continue;
    }
    const { changed, removed } = compareLocks(former.entries, now.entries);
    const runners = runnerPackages(former.entries);
    const ofRunner = [...changed, ...removed].map(({ name }) => name).filter((name) => runners.has(name));
    if (ofRunner.length > 0)
      verdict.refusals.push(`${path} pins other packages that run the tests: ${listed(ofRunner)}.`);
    else if (changed.length > 0 && !isAllowed(path))
      verdict.disputed.push({ path, packages: listed(changed.map(({ name }) => name)) });
  }
  return verdict;
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
