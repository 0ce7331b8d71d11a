import { expect, it } from "vitest";
import { openTask, type ScratchTask } from "../supervise/open-task.ts";
import { honest, suiteCommand, writeSuite } from "./sealed-project.ts";

/** A supervised task whose agent does its deed and makes DONE, in a project whose suite is red. */
function sealedTask(deed: string): ScratchTask {
  const task = openTask({ isGit: true });
  writeSuite(task.project);
  const guardrails = [{ command: suiteCommand, failAction: "APPEND" }];
  task.agent(`${deed}\ndone_now`, { guardrails, maximumIterations: 1, seal: { checks: "claims" } });
  return task;
}

it("completes DONE of honest work, sealed", async () => {
  const { code, stderr } = await sealedTask(honest).run();
  expect([code, stderr]).toEqual([0, expect.stringContaining("sealed, 2 tests passed")]);
});

it("refuses DONE of weakened tests, and leaves an agent that insists to a person", async () => {
  const task = sealedTask("sed -i 's/, 3)/, -2)/; s/, 1)/, 0)/' test/add.test.js");
  const { code, stderr } = await task.run();
  expect([code, stderr]).toEqual([3, expect.stringContaining("insists on a change of tests whose old form fails")]);
  expect(stderr).toContain("guardrail failed (exit code 1, sealed, 0 tests passed, 2 failed");
  expect(task.project.living()).toEqual([]);
});
