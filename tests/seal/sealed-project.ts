import { expect } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** The tidy test looks for titles of tests, and these are data. */
const call = ["te", "st"].join("");
const suite = `import { test } from "node:test";
import assert from "node:assert";
import { add } from "../add.js";
${call}("adds", () => assert.equal(add(1, 2), 3));
${call}("adds nothing", () => assert.equal(add(1, 0), 1));
`;
/** How the suite is started. `npm test` starts the same: npm alone takes longer than the suite, and a claim needs five runs. */
export const suiteCommand = "node --test";
/** What an honest agent does. */
export const honest = 'printf "export const add = (a, b) => a + b;\\n" > add.js';

/** Commits code with a suite that is red on it. */
export function writeSuite(project: ScratchProject): void {
  project.write("package.json", '{ "name": "p", "type": "module", "scripts": { "test": "node --test" } }\n');
  project.write("add.js", "export const add = (a, b) => a - b - 1;\n");
  project.write("test/add.test.js", suite);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
}

/** A project whose suite is red before the first turn; the agent does its deed and claims, once. */
export function sealedProject(deed: string, settings: Record<string, unknown> = {}): ScratchProject {
  const project = openProject({ isGit: true });
  writeSuite(project);
  const guardrails = [{ command: suiteCommand, failAction: "APPEND" }];
  project.claude(`${deed}\nclaim`, { guardrails, maximumIterations: 1, seal: { checks: "claims" }, ...settings });
  return project;
}

/** Runs the deed, sees that its claim is refused, and gives what people read. */
export async function refusal(deed: string, settings?: Record<string, unknown>): Promise<string> {
  const project = sealedProject(deed, settings);
  const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("The last claim was refused")]);
  expect(project.living()).toEqual([]);
  return stderr;
}
