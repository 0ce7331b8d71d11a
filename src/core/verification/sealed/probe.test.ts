import { describe, expect, it } from "vitest";
import { numberTests } from "../inventory/number-tests.ts";
import type { ReportContent, TestCase } from "../reports/test-case.ts";
import { areSure, deafReason, deafTests, falsifyFiles, heardHelpers, judgeProbe, probeLimitMs } from "./probe.ts";

/** The tidy test looks for titles of tests, and these are data. */
const call = ["te", "st"].join("");
const suite = `import { test } from "node:test";
import assert from "node:assert";
import { add } from "./add.js";
${call}("adds", () => assert.equal(add(1, 2), 3));
${call}("is there", () => add());
`;
const files = falsifyFiles(
  new Map([
    ["add.test.js", suite],
    ["README.md", "no test"],
  ]),
);

function testCase(name: string, status: TestCase["status"]): TestCase {
  return { file: "add.test.js", suite: "", name, status };
}

function report(...tests: TestCase[]): ReportContent {
  return { isReadable: true, tests };
}

const turned = numberTests([testCase("adds", "passed"), testCase("is there", "passed")]);
const honest = {
  files,
  exitCode: 1,
  report: report(testCase("adds", "failed")),
  turned,
  deaf: new Set<string>(),
  helpers: new Set<string>(),
  flaky: new Set<string>(),
};

describe("the probe", () => {
  it("changes test files that have expectations, and no others", () => {
    expect([...files.keys()]).toEqual(["add.test.js"]);
    expect(files.get("add.test.js")?.text).not.toContain("add(1, 2), 3)");
  });

  it("is passed by a suite that notices, and names tests in which nothing could be made false", () => {
    expect(judgeProbe(honest)).toEqual({ isPassed: true, reason: "passed", unprobed: ["add.test.js > is there"] });
  });

  it("is failed by a suite that stays green", () => {
    expect(judgeProbe({ ...honest, exitCode: 0 })).toMatchObject({ isPassed: false, reason: deafReason });
  });

  it("is failed by a turned test that stays green in a red suite", () => {
    const deaf = report(testCase("adds", "passed"), testCase("other", "failed"));
    expect(judgeProbe({ ...honest, report: deaf })).toMatchObject({
      isPassed: false,
      reason: `${deafReason} add.test.js > adds.`,
    });
  });

  it("is failed where nothing is red but a test that is red by chance", () => {
    const red = testCase("sometimes", "failed");
    const flaky = new Set(numberTests([red]).map(({ id }) => id));
    expect(judgeProbe({ ...honest, report: report(red), flaky })).toMatchObject({ isPassed: false });
  });

  it("does not count tests that never listened", () => {
    const deaf = deafTests(files, [testCase("adds", "passed"), testCase("is there", "passed")]);
    expect(deaf.size).toBe(1);
    const green = report(testCase("adds", "passed"), testCase("other", "failed"));
    expect(judgeProbe({ ...honest, report: green, deaf }).isPassed).toBe(true);
  });

  it("judges by the exit code alone where there is no report", () => {
    expect(judgeProbe({ ...honest, report: null, turned: [] }).isPassed).toBe(true);
    expect(judgeProbe({ ...honest, report: null, turned: [], exitCode: 0 }).isPassed).toBe(false);
  });
});

describe("calls that may be assertions", () => {
  const own = falsifyFiles(
    new Map([
      [
        "add.test.js",
        `${call}("adds", () => {\n  same(add(1, 2), 3);\n});\n${call}("adds nothing", () => {\n  same(add(1, 0), 1);\n});\n`,
      ],
    ]),
  );
  const plain = [testCase("adds", "failed"), testCase("adds nothing", "passed")];
  const probed = [testCase("adds", "failed"), testCase("adds nothing", "failed")];
  const deafTurned = { ...honest, files: own, report: report(testCase("adds", "passed"), testCase("x", "failed")) };

  it("are assertions where the base listened to one of them", () => {
    const helpers = new Set(heardHelpers(own, { plain, probed }));
    expect(judgeProbe({ ...deafTurned, helpers }).isPassed).toBe(false);
  });

  it("are none where the base did not listen", () => {
    const helpers = new Set(heardHelpers(own, { plain, probed: plain }));
    expect(judgeProbe({ ...deafTurned, helpers })).toMatchObject({ isPassed: true });
    expect([areSure(own), areSure(files)]).toEqual([false, true]);
  });
});

it("bounds a run with false expectations by the time of one with true ones: a failed test may leave a server open", () => {
  expect([0, 1_000, 60_000].map(probeLimitMs)).toEqual([30_000, 30_000, 300_000]);
});
