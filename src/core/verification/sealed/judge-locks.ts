import { matchPaths } from "../protect/path-glob.ts";
import { compareLocks, runnerPackages } from "../locks/compare-locks.ts";
import { readLock } from "../locks/read-lock.ts";

/** A lock file of the base and of the candidate; null: it is not there. */
export type LockPair = { path: string; base: string | null; candidate: string | null };

/** Names in one sentence. */
const namesMax = 10;

/**
 * Why the lock files of a candidate refuse its claim, a sentence each: a package of the base has another version or content, so that
 * what was verified is not what is delivered. `allow` names lock files that the task may change; the packages that run tests
 * never are.
 */
export function judgeLocks(pairs: readonly LockPair[], allow: readonly string[]): string[] {
  const isAllowed = matchPaths(allow);
  return pairs.flatMap(({ path, base, candidate }) => {
    if (base === null || base === candidate) return [];
    if (candidate === null) return [`${path} was removed: restore it.`];
    const [former, now] = [readLock(path, base), readLock(path, candidate)];
    if (!now.isReadable) return [`${path} cannot be read any more: restore it.`];
    const { changed, removed } = compareLocks(former.entries, now.entries);
    const runners = runnerPackages(former.entries);
    const names = [...changed, ...removed].map(({ name }) => name);
    const ofRunner = names.filter((name) => runners.has(name));
    if (ofRunner.length > 0) return [`${path} pins other packages that run the tests: ${listed(ofRunner)}.`];
    const others = changed.map(({ name }) => name);
    if (others.length === 0 || isAllowed(path)) return [];
    return [`${path} pins other versions of ${listed(others)}: restore them, or let a person allow it (seal.allow).`];
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
