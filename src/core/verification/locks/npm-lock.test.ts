import { describe, expect, it } from "vitest";
import type { LockEntry } from "./lock-entry.ts";
import { readNpmLock } from "./npm-lock.ts";

/** Each entry as `name version integrity > dependencies`. */
function check(lock: object, expected: string[]): void {
  const lineOf = ({ name, version, integrity, dependencies }: LockEntry): string =>
    `${name} ${version} ${integrity ?? "-"} > ${dependencies.join(",")}`;
  expect(readNpmLock(JSON.stringify(lock))?.map(lineOf)).toEqual(expected);
}

describe("a lock file of npm", () => {
  it("is read by place", () => {
    const packages = {
      "": { name: "p" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-x", dependencies: { b: "^1" } },
      "node_modules/a/node_modules/@s/b": { version: "2.0.0", resolved: "file:x.tgz" },
      "node_modules/alias": { name: "real", version: "3.0.0" },
      "packages/own": { version: "0.0.0" },
    };
    check({ lockfileVersion: 3, packages }, ["a 1.0.0 sha512-x > b", "@s/b 2.0.0 file:x.tgz > ", "real 3.0.0 - > "]);
  });

  it("is read inside each other in its first version", () => {
    const inner = { b: { version: "2" } };
    const dependencies = { a: { version: "1", integrity: "i", requires: { b: "1" }, dependencies: inner } };
    check({ dependencies }, ["a 1 i > b", "b 2 - > "]);
    check({}, []);
  });

  it("that is no JSON object cannot be read", () => {
    expect([readNpmLock("[]"), readNpmLock("{")]).toEqual([null, null]);
  });
});
