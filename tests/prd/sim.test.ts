import { join } from "node:path";
import { expect, it } from "vitest";
import { openProject } from "../run/scratch-project.ts";
import { commitAll, prdText } from "./list-project.ts";
import { type Story, story, taskFileText } from "./sample-task-file.ts";

/** A turn of the scripted agent, chosen by what the prompt says of this iteration. */
function turn(role: string, id: string, { shell, words }: { shell: string; words: object }): object {
  const run = `${shell}; git add -A; git commit -qm '${role}: [${id}]'`;
  return { when: `is **${role}**, about story **${id}**`, steps: [{ run }, words] };
}

it("brings three stories to approval with the scripted agent and the prompt that init writes, cheat included (S4-63, S4-77, S4-93, R-101, R-105)", async () => {
  const project = openProject({ isGit: true });
  const list = (...words: string[]): string =>
    [process.execPath, join(import.meta.dirname, "edit-list.js"), ...words].map((word) => `'${word}'`).join(" ");
  const made = 'notes="made"';
  const submit = (id: string): string => list(id, 'reviewStatus="needs_review"', made);
  const approve = (id: string, count: number): string =>
    list(id, 'reviewStatus="approved"', "passes=true", `reviewCount=${count}`);
  const refuse = list("US-001", 'reviewStatus="changes_requested"', "reviewCount=1", 'reviewFeedback="say fixed"');
  const cheat = list("US-002", 'reviewStatus="approved"', "passes=true", made);
  const early = { claim: "COMPLETE" };
  const turns = [
    turn("implement", "US-001", { shell: `touch US-001; ${submit("US-001")}; ${cheat}`, words: early }),
    turn("review", "US-001", {
      shell: `if grep -q fixed US-001; then ${approve("US-001", 2)}; else ${refuse}; fi`,
      words: { say: "Reviewed." },
    }),
    turn("review-fix", "US-001", {
      shell: `echo fixed > US-001; ${list("US-001", 'reviewStatus="needs_review"', 'reviewFeedback=""')}`,
      words: { say: "Fixed." },
    }),
    ...["US-002", "US-003"].flatMap((id) => [
      turn("implement", id, { shell: `touch ${id}; ${submit(id)}`, words: { say: "Made." } }),
      turn("review", id, { shell: approve(id, 1), words: early }),
    ]),
  ];
  project.sim(JSON.stringify({ turns }));
  expect(await project.run(["prd", "init", "--name", "shop"])).toMatchObject({ code: 0 });
  const stories = [story("US-001"), story("US-002", { priority: 2 }), story("US-003", { priority: 3 })];
  project.write("ralph/tasks.json", taskFileText(stories, { verifyCommands: ["test -f US-001"] }));
  project.write("ralph/prd.md", prdText);
  commitAll(project);
  const { code, stderr } = await project.run(["prd", "run", "--unsafe"]);
  expect(stderr).toContain("Story US-002 had illegal transition: passes false → true.");
  expect(stderr).toContain("The completion tag was claimed, but not every task of the list is approved");
  expect(code).toBe(0);
  const { userStories } = JSON.parse(project.read("ralph/tasks.json")) as { userStories: Story[] };
  expect(userStories.map(({ reviewStatus, reviewCount }) => `${String(reviewStatus)} ${String(reviewCount)}`)).toEqual([
    "approved 2",
    "approved 1",
    "approved 1",
  ]);
  const roles = (await project.json(["show"]))["iterations"] as { role: string; task: string }[];
  expect(roles.map(({ role, task }) => `${role} ${task}`)).toEqual([
    "implement US-001",
    "review US-001",
    "review-fix US-001",
    "review US-001",
    "implement US-002",
    "review US-002",
    "implement US-003",
    "review US-003",
  ]);
});
