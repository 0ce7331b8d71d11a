import { describe, expect, it } from "vitest";
import type { TestCase } from "../reports/test-case.ts";
import {
  type CalibratedEnd,
  type Calibration,
  type CalibrationProposal,
  compareCalibration,
  foldersToFill,
  isRunAgain,
} from "./calibration.ts";

const green: CalibratedEnd = { exitCode: 0, isTimedOut: false, output: "", tests: null, durationMs: 10 };

function testsOf(statuses: Record<string, TestCase["status"]>): TestCase[] {
  return Object.entries(statuses).map(([name, status]) => ({ file: null, suite: "", name, status }));
}

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
    expect(compare({ tests: testsOf({ a: "passed" }) }, { tests: testsOf({ a: "passed" }) }).isSame).toBe(true);
  });

  it("names other exit codes, other tests and a report in one place only", () => {
    expect(compare({}, { exitCode: 1 }).differences).toEqual(["exit code 1 in a sealed copy, exit code 0 in the tree"]);
    expect(compare({}, { isTimedOut: true, exitCode: 124 }).differences[0]).toContain("no end in time");
    const tests = testsOf({ a: "passed", b: "passed" });
    expect(compare({ tests }, { tests: testsOf({ a: "failed" }) }).differences).toEqual([
      "a: failed in a sealed copy, passed in the tree",
      "b: missing in a sealed copy, passed in the tree",
    ]);
    expect(compare({ tests }, {}).differences).toEqual(["a report in one of the two places only"]);
    const many = testsOf(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`t${index}`, "passed"])));
    expect(compare({ tests: many }, { tests: [] }).differences.at(-1)).toBe("and 20 more tests");
  });

  it("is no good when both places are red in other tests", () => {
    const [tree, sealed] = [testsOf({ a: "failed", b: "passed" }), testsOf({ a: "passed", b: "failed" })];
    const { isSame, differences } = compare({ exitCode: 1, tests: tree }, { exitCode: 1, tests: sealed });
    expect([isSame, differences]).toEqual([
      false,
      ["a: passed in a sealed copy, failed in the tree", "b: failed in a sealed copy, passed in the tree"],
    ]);
  });

  it("takes an exit code that differs by chance for no difference of the places", () => {
    const [passed, failed] = [testsOf({ a: "passed" }), testsOf({ a: "failed" })];
    const places = { tree: { ...green, tests: passed }, sealed: { ...green, exitCode: 1, tests: failed } };
    const rest = { copy: "/c/p", leftBehind: () => null };
    expect(isRunAgain(places)).toBe(true);
    expect(compareCalibration({ ...places, ...rest, again: [passed, failed] }).isSame).toBe(true);
    expect(compareCalibration({ ...places, ...rest, again: [failed, failed] }).isSame).toBe(false);
  });

  it("runs again where a test is red, to see whether it is so every time, but not for minutes", () => {
    const red = { ...green, exitCode: 1, tests: testsOf({ a: "failed" }) };
    expect(isRunAgain({ tree: red, sealed: red })).toBe(true);
    expect(isRunAgain({ tree: red, sealed: { ...red, durationMs: 120_001 } })).toBe(false);
    expect(isRunAgain({ tree: green, sealed: green })).toBe(false);
  });

  it("takes tests that differ from run to run for no difference of the places", () => {
    const options = { copy: "/c/p", leftBehind: () => null };
    const ends = (one: TestCase[], other: TestCase[]): { tree: CalibratedEnd; sealed: CalibratedEnd } => ({
      tree: { ...green, exitCode: 1, tests: one },
      sealed: { ...green, exitCode: 1, tests: other },
    });
    const [red, steady] = [testsOf({ a: "failed", b: "failed" }), testsOf({ a: "passed", b: "failed" })];
    const unsteady = ends(red, steady);
    expect(isRunAgain(unsteady)).toBe(true);
    expect(compareCalibration({ ...unsteady, ...options, again: [red, steady] }).isSame).toBe(true);
    expect(compareCalibration({ ...unsteady, ...options, again: [steady, steady] }).isSame).toBe(false);
    const [one, two, three] = ["4312", "5521", "6001"].map((port) => testsOf({ [`port ${port}`]: "passed" }));
    const varying = ends(one ?? [], two ?? []);
    expect(compareCalibration({ ...varying, ...options, again: [three ?? []] }).isSame).toBe(true);
    expect(isRunAgain({ tree: green, sealed: { ...green, exitCode: 1 } })).toBe(false);
  });

  it.each([
    ["EROFS: read-only file system, open '/c/p/tests/out.txt'", { writable: ["tests/out.txt"] }],
    ["OSError: [Errno 30] Read-only file system: 'tests/tmp'", { writable: ["tests/tmp"] }],
    ["sh: 1: cannot create tests/out: Read-only file system", { writable: ["tests/out"] }],
    ["touch: cannot touch 'tests/x': Read-only file system", { writable: ["tests/x"] }],
    ["open tests/golden.txt: read-only file system", { writable: ["tests/golden.txt"] }],
    ["EROFS: read-only file system, open '/usr/x'", { writable: [] }],
    ["ENOENT: no such file or directory, mkdir 'tests/made'", { writable: ["tests/made"] }],
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

describe("folders that a suite fills", () => {
  const files = ["tests/a.js", "tests/deep/b.js"];
  const none = { include: [], writable: [], network: null, services: [], needsSetup: false };
  const foldersOf = (...proposals: Partial<CalibrationProposal>[]): string[] =>
    foldersToFill(
      proposals.map((proposal) => ({ isSame: false, differences: ["x"], proposal: { ...none, ...proposal } })),
      files,
    );

  it("are taken where they are all that is in the way", () => {
    expect(foldersOf({ writable: ["tests/out"] }, { writable: ["tests/out", "tests/more"] })).toEqual([
      "tests/out",
      "tests/more",
    ]);
  });

  it.each<Partial<CalibrationProposal>>([
    {},
    { writable: ["tests/out"], include: ["note.txt"] },
    { writable: ["tests/out"], network: "host" },
    { writable: ["tests/out.txt"] },
    { writable: ["tests/deep"] },
    { writable: ["out"] },
  ])("are none with %j", (proposal) => expect(foldersOf(proposal)).toEqual([]));
});
