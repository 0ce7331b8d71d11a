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

const roles = completion({ coder: onWord("CODED", 1), reviewer: onWord("REVIEWED", 1) });
const one = { id: "one", title: "Make one", priority: 1, completion: roles };

/** Work that no check but the held-out one looks at. */
async function heldOutWork(deed: string, asked: string[], ...more: string[]) {
  const work = openWork();
  writeSuite(work);
  work.worker(`${deed}\nclaim`, { seal, work: { roles: asked, rounds: 1 } });
  await holdOut(work, ...more);
  return work;
}

it("held-out checks are asked of the last role of a task and on what it leaves, and of no earlier role", async () => {
  const work = await heldOutWork(`[ $role = coder ] && ${narrow}`, ["coder", "reviewer"], "--task", "one");
  await work.tasks(one);
  const { code, stderr } = await work.run(["work", "--worktrees"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("A held-out check of the task's behaviour failed")]);
  expect(work.promptsOf("one", "coder")[1]).not.toContain("other numbers");
  // A coder whose claim it refused would leave nothing to review.
  expect(work.promptsOf("one", "reviewer")).toHaveLength(2);
  const right = await heldOutWork(honest, ["coder"]);
  await right.tasks(one);
  const accepted = await right.run(["work", "--worktrees"]);
  expect([accepted.code, accepted.stderr]).toEqual([
    0,
    expect.stringMatching(/Merged, then green: .*held-out: other numbers/),
  ]);
});

it("a held-out check that only merged work fails undoes the merge, and tells the coder nothing but that", async () => {
  const work = openWork();
  writeSuite(work);
  work.worker('echo x > "$task.txt"; claim', { seal, work: { roles: ["coder"], rounds: 1 } });
  const file = join(work.root, "apart.sh");
  writeFileSync(file, "[ ! -e one.txt ] || [ ! -e two.txt ]\n");
  const words = ["--command", "sh .held-out/apart.sh", "--file", file];
  expect((await work.run(["seal", "held-out", "add", "apart", ...words])).code).toBe(0);
  await work.tasks(one, { ...one, id: "two", priority: 2 });
  const { code, stderr } = await work.run(["work", "-j", "2", "--worktrees"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("Task two is red on the merged tip, the merge is undone"),
  ]);
  const [, again = ""] = work.promptsOf("two", "coder");
  expect(again).toContain("A held-out check of the task's behaviour failed (1 of 1).");
  expect(again).not.toContain("apart");
});
