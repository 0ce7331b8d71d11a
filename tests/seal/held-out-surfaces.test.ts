import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openTask } from "../supervise/open-task.ts";
import { completion, onWord, openWork } from "../work/open-work.ts";
import { honest, suiteCommand, writeSuite } from "./sealed-project.ts";

const seal = { checks: "claims" };
/** Green with the tests of the suite, and not what was asked for. */
const narrow = 'printf "export const add = (a, b) => b === 0 ? a : 3;\\n" > add.js';

/** Holds out a check that adds other numbers than the suite. */
async function holdOut(project: Pick<ReturnType<typeof openList>, "root" | "run">, ...more: string[]): Promise<void> {
  const file = join(project.root, "other.mjs");
  writeFileSync(file, 'import { add } from "../add.js";\nif (add(20, 22) !== 42) process.exit(1);\n');
  const words = ["--command", "node .held-out/other.mjs", "--file", file, ...more];
  expect((await project.run(["seal", "held-out", "add", "other numbers", ...words])).code).toBe(0);
}

function sealedList(deed: string) {
  const project = openList({
    stories: [story("A")],
    acts: [`${deed}; ${acts.implement("A")}`, acts.approve("A")],
    verifyCommands: [suiteCommand],
    settings: { seal },
  });
  writeSuite(project);
  return project;
}

it("held-out checks of every task are asked before a task list counts as complete", async () => {
  const right = sealedList(honest);
  await holdOut(right, "--task", "A");
  const accepted = await right.prdRun(["-n", "3"]);
  expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining("completed")]);
  expect((await right.run(["show"])).stdout).toContain("other numbers");
  const wrong = sealedList(narrow);
  await holdOut(wrong, "--task", "A");
  const refused = await wrong.prdRun(["-n", "3"]);
  expect(refused.stderr).toContain("A held-out check of the task's behaviour failed");
  expect(refused.code).not.toBe(0);
});

it("held-out checks are asked when a supervised agent has made DONE", async () => {
  const task = openTask({ isGit: true });
  writeSuite(task.project);
  const guardrails = [{ command: suiteCommand, failAction: "APPEND" }];
  task.agent(`${narrow}\ndone_now`, { guardrails, maximumIterations: 1, seal });
  await holdOut(task.project);
  const { code, stderr } = await task.run(["--max-restarts", "1"]);
  expect(stderr).toContain("A held-out check of the task's behaviour failed");
  expect(code).not.toBe(0);
});

it("a work run with held-out checks does not start, because nothing would ask them", async () => {
  const work = openWork();
  work.worker("claim", { seal, work: { roles: ["coder"] } });
  await work.tasks({ id: "one", title: "Make one", completion: completion({ coder: onWord("CODED") }) });
  await holdOut(work);
  const { code, stderr } = await work.run(["work"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("its checks do not run sealed: only ralph run")]);
  expect(await work.standing()).toMatchObject({ one: expect.stringContaining("ready") });
});
