import { matchPaths } from "../protect/path-glob.ts";
import type { LockEntry } from "./lock-entry.ts";

/** A package that another version or another content stands for. */
export type LockChange = { name: string; from: string[]; to: string[] };

/** How two lock files differ, by the names of packages. */
export type LockDifference = {
  /** A pinned version of the base is gone, or has another content, and the package is still there. */
  changed: LockChange[];
  /** Packages, or further versions of one, that the base did not have. */
  added: LockChange[];
  removed: LockChange[];
};

/** Compares what two lock files pin. */
export function compareLocks(base: readonly LockEntry[], candidate: readonly LockEntry[]): LockDifference {
  const [former, now] = [byName(base), byName(candidate)];
  const difference: LockDifference = { changed: [], added: [], removed: [] };
  for (const [name, from] of former) {
    const to = now.get(name);
    const change = { name, from: [...from], to: [...(to ?? [])] };
    if (to === undefined) difference.removed.push(change);
    else if ([...from].some((pin) => !to.has(pin))) difference.changed.push(change);
    else if (to.size > from.size) difference.added.push(change);
  }
  for (const [name, to] of now) if (!former.has(name)) difference.added.push({ name, from: [], to: [...to] });
  return difference;
}

/** Versions and contents of each package: where they lie in a tree of packages may change with any other package. */
function byName(entries: readonly LockEntry[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, version, integrity } of entries) {
    const pins = found.get(name) ?? new Set();
    found.set(name, pins.add(integrity === null ? version : `${version} ${integrity}`));
  }
  return found;
}

/** Test runners, their plugins and the libraries that tests compare with. */
const runnerNames = matchPaths([
  "{vitest,jest,mocha,chai,sinon,ava,tap,tape,uvu,jasmine,karma,cypress,playwright,c8,nyc,tsx,ts-node,should,expect}",
  "{jest,vitest,mocha,chai,karma,tap,cypress,babel-plugin,eslint}-*",
  "{@jest,@vitest,@playwright,@tapjs,@testing-library,@cypress,@babel}/**",
  "{pytest,_pytest,pluggy,coverage,nose2,tox,nox,hypothesis,unittest2}",
  "pytest-*",
  "{rspec,minitest,test-unit,simplecov,rake}",
  "rspec-*",
  "{assert_cmd,proptest,quickcheck,rstest,insta,trybuild,nextest}",
  "github.com/{stretchr,onsi,google}/{testify,ginkgo,gomega,go-cmp}",
  "{typescript,eslint,@biomejs/biome,prettier,ruff,mypy}",
]);

/** Names of a lock file that a runner is or loads, directly or through others. */
export function runnerPackages(entries: readonly LockEntry[]): Set<string> {
  const loads = new Map<string, Set<string>>();
  for (const { name, dependencies } of entries) {
    const known = loads.get(name) ?? new Set();
    for (const each of dependencies) known.add(each);
    loads.set(name, known);
  }
  const found = new Set([...loads.keys()].filter((name) => runnerNames(name)));
  const queue = [...found];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const each of loads.get(name) ?? []) {
      if (found.has(each) || !loads.has(each)) continue;
      found.add(each);
      queue.push(each);
    }
  }
  return found;
}
