import { expect, it } from "vitest";
import type { ExplainedProject } from "../../../app/seal/explain.ts";
import { seal } from "../../../core/settings/seal-settings.ts";
import { explanationLines } from "./explanation-lines.ts";

const explanation: NonNullable<ExplainedProject["explanation"]> = {
  fileCount: 20,
  protected: [
    { rule: "tests", paths: Array.from({ length: 12 }, (_, index) => ({ path: `test/${index}.test.js` })) },
    { rule: "keys", paths: [{ path: "package.json", keys: ["scripts", "type"] }] },
  ],
  checks: [
    { command: "npm test", report: "node-test", runner: "node-test" },
    { command: "./lint.sh", report: null, runner: null },
  ],
  tools: [
    { name: "node", path: "/bin/node", file: "/opt/node", hash: "0" },
    { name: "gone", path: null, file: null, hash: null },
  ],
  dependencies: { folders: ["node_modules"], locks: ["package-lock.json"] },
  isolation: { kind: "copy", problem: "bwrap (bubblewrap) is not installed." },
  include: [{ glob: ".env.test", fileCount: 0 }],
  env: [{ name: "TOKEN", isSet: false }],
};

function check(given: Partial<ExplainedProject>): string {
  const project = { projectDir: "/p", isSealed: true, problem: null, seal: seal.parse({}), explanation };
  return explanationLines({ ...project, ...given }).join("\n");
}

it("shows checks with their evidence, what is protected by which rule, and what a run needs", () => {
  const text = check({});
  expect(text).toContain("npm test: report node-test of node-test");
  expect(text).toContain("./lint.sh: exit code only");
  expect(text).toContain("Protected, of 20 files:");
  expect(text).toContain("package.json (scripts, type)");
  expect(text).toContain("and 2 more (--json lists all)");
  expect(text).toContain("node: /bin/node, which is /opt/node");
  expect(text).toContain("gone: not found");
  expect(text).toContain("a plain copy: bwrap (bubblewrap) is not installed.");
  expect(text).toContain("6 runs before the first turn");
  expect(text).toContain('seal.include ".env.test" matches no file: the run would not start');
  expect(text).toContain("seal.env TOKEN: not set");
});

it("says why checks do not run sealed", () => {
  const problem = "It is not in a git repository.";
  expect(check({ isSealed: false, problem, explanation: null })).toBe(
    `The checks of a claim do not run sealed here. ${problem}`,
  );
});

it("says that a namespace which is demanded and missing prevents a start", () => {
  const strict = { ...seal.parse({}), isolation: "namespace" as const };
  expect(check({ seal: strict })).toContain('seal.isolation is "namespace": the run would not start');
});
