import { join } from "node:path";
import { expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";
import { honest, suiteCommand, writeSuite } from "./sealed-project.ts";

/** The tidy test looks for titles of tests, and these are data. */
const call = ["te", "st"].join("");

/** A project with a test beside the suite that is red in every second run: where no namespace hides it, a file counts the runs. */
function flakyProject(deed: string): ScratchProject {
  const project = openProject({ isGit: true });
  const count = join(project.directory, "..", "count");
  project.write(
    "test/sometimes.test.js",
    `import { test } from "node:test";
import assert from "node:assert";
import { appendFileSync, readFileSync } from "node:fs";
${call}("sometimes", () => {
  appendFileSync(${JSON.stringify(count)}, "x");
  assert.equal(readFileSync(${JSON.stringify(count)}, "utf8").length % 2, 1);
});
`,
  );
  writeSuite(project);
  const guardrails = [{ command: suiteCommand, failAction: "APPEND" }];
  const seal = { checks: "claims", isolation: "copy", probe: false };
  project.claude(`${deed}\nclaim`, { guardrails, maximumIterations: 1, seal });
  return project;
}

it("lets a test fail on a claim that is red by chance on the base, and names it", async () => {
  const project = flakyProject(honest);
  const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("completed: ")]);
  expect((await project.run(["show"])).stdout).toContain("flaky, may fail: test/sometimes.test.js > sometimes");
});
