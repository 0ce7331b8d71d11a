import { describe, expect, it } from "vitest";
import { type CalibratedEnd, type Calibration, compareCalibration } from "./calibration.ts";

const green: CalibratedEnd = { exitCode: 0, isTimedOut: false, output: "", tests: null };

function compare(tree: Partial<CalibratedEnd>, sealed: Partial<CalibratedEnd>): Calibration {
  const leftBehind = (path: string): "file" | "built" | null => {
    if (path === ".env.test") return "file";
    return path.startsWith("dist/") ? "built" : null;
  };
  return compareCalibration({ tree: { ...green, ...tree }, sealed: { ...green, ...sealed }, copy: "/c/p", leftBehind });
}

describe("a calibration", () => {
  it("is good when both places say the same, also both red", () => {
    expect(compare({}, { output: "other" }).isSame).toBe(true);
    expect(compare({ exitCode: 1 }, { exitCode: 1 }).isSame).toBe(true);
    const tests = new Map([["a", "passed"]]);
    expect(compare({ tests }, { tests: new Map(tests) }).isSame).toBe(true);
  });

  it("names other exit codes, other tests and a report in one place only", () => {
    expect(compare({}, { exitCode: 1 }).differences).toEqual(["exit code 1 in a sealed copy, exit code 0 in the tree"]);
    expect(compare({}, { isTimedOut: true, exitCode: 124 }).differences[0]).toContain("no end in time");
    const tests = new Map([
      ["a", "passed"],
      ["b", "passed"],
    ]);
    expect(compare({ tests }, { tests: new Map([["a", "failed"]]) }).differences).toEqual([
      "a: failed in a sealed copy, passed in the tree",
      "b: missing in a sealed copy, passed in the tree",
    ]);
    expect(compare({ tests }, {}).differences).toEqual(["a report in one of the two places only"]);
    const many = new Map(Array.from({ length: 30 }, (_, index) => [`t${index}`, "passed"]));
    expect(compare({ tests: many }, { tests: new Map() }).differences.at(-1)).toBe("and 20 more tests");
  });

  it.each([
    ["EROFS: read-only file system, open '/c/p/tests/out.txt'", { writable: ["tests/out.txt"] }],
    ["OSError: [Errno 30] Read-only file system: 'tests/tmp'", { writable: ["tests/tmp"] }],
    ["sh: 1: cannot create tests/out: Read-only file system", { writable: ["tests/out"] }],
    ["touch: cannot touch 'tests/x': Read-only file system", { writable: ["tests/x"] }],
    ["open tests/golden.txt: read-only file system", { writable: ["tests/golden.txt"] }],
    ["EROFS: read-only file system, open '/usr/x'", { writable: [] }],
    ["ENOENT: no such file or directory, open '/c/p/.env.test'", { include: [".env.test"] }],
    ["FileNotFoundError: [Errno 2] No such file or directory: '.env.test'", { include: [".env.test"] }],
    ["Error: Cannot find module './dist/main.js'", { include: [], needsSetup: true }],
    ["cat: other.txt: No such file or directory", { include: [], needsSetup: false }],
    ["connect ECONNREFUSED 127.0.0.1:5432", { services: ["127.0.0.1:5432"], network: null }],
    ["getaddrinfo ENOTFOUND example.com", { network: "host" }],
  ])("proposes what mends: %s", (output, expected) => {
    expect(compare({}, { exitCode: 1, output }).proposal).toMatchObject(expected);
  });
});
