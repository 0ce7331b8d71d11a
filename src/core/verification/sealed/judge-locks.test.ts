import { expect, it } from "vitest";
import { judgeLocks } from "./judge-locks.ts";

function lock(packages: Record<string, string>): string {
  const entries = Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]);
  return JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) });
}

const path = "package-lock.json";
const base = lock({ lodash: "4.0.0", vitest: "5.0.0" });

function check(candidate: string | null, refusals: string[], allow: string[] = []): void {
  expect(judgeLocks([{ path, base, candidate }], allow)).toEqual({ refusals, disputed: [] });
}

it("leaves another version of a package to a person, unless the lock file is allowed", () => {
  const changed = lock({ lodash: "4.0.1", vitest: "5.0.0" });
  const disputed = [{ path, packages: "lodash" }];
  expect(judgeLocks([{ path, base, candidate: changed }], [])).toEqual({ refusals: [], disputed });
  check(changed, [], [path]);
});

it("refuses another version of what runs the tests, whatever is allowed", () => {
  const changed = lock({ lodash: "4.0.0", vitest: "5.0.1" });
  check(changed, ["package-lock.json pins other packages that run the tests: vitest."], [path]);
});

it("accepts new packages and an unchanged file", () => {
  check(lock({ lodash: "4.0.0", vitest: "5.0.0", express: "5.0.0" }), []);
  check(base, []);
  expect(judgeLocks([{ path, base: null, candidate: base }], [])).toEqual({ refusals: [], disputed: [] });
});

it("refuses a lock file that is gone or broken", () => {
  check(null, ["package-lock.json was removed: restore it."]);
  check("{", ["package-lock.json cannot be read any more: restore it."]);
});
