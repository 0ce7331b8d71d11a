import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, openList } from "./list-project.ts";
import { story } from "./sample-task-file.ts";

const threeStories = [
  story("US-001"),
  story("US-002", { priority: 2 }),
  story("US-003", { priority: 3, dependsOn: ["US-002"] }),
];

describe("ralph prd run", () => {
  it("brings three stories through implement, review, changes, fix and approval, with real commits (S4-06, S4-10, S4-13, S4-16, S4-93, S4-97, CB-16, R-105)", async () => {
    const project = openList({
      stories: threeStories,
      acts: [
        acts.implement("US-001"),
        acts.refuse("US-001"),
        acts.fix("US-001"),
        acts.approve("US-001", 2),
        acts.implement("US-002"),
        acts.approve("US-002"),
        acts.implement("US-003"),
        acts.approve("US-003"),
      ],
      verifyCommands: ["test -f code.txt"],
    });
    const ended = await project.prdRun();
    expect(ended.stderr).toContain("3 stories x ~3 iterations each = ~9");
    expect(ended).toMatchObject({ code: 0 });
    expect(project.stories()).toMatchObject([
      { passes: true, reviewStatus: "approved", reviewCount: 2 },
      { passes: true, reviewStatus: "approved", reviewCount: 1 },
      { passes: true, reviewStatus: "approved", reviewCount: 1 },
    ]);
    const prompts = project.prompts();
    expect(prompts.map((text) => /You (\S+ \S+),/.exec(text)?.[1])).toEqual([
      "implement US-001",
      "review US-001",
      "review-fix US-001",
      "review US-001",
      "implement US-002",
      "review US-002",
      "implement US-003",
      "review US-003",
    ]);
    expect(prompts[0]).toContain("# Iteration 1 of 15");
    expect(prompts[0]).toContain("at most 5 reviews, files in ralph.");
    expect(project.git("log", "--format=%s").trim().split("\n")).toHaveLength(10);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.has(".ralph-active")).toBe(false);
    const shown = await project.shown();
    expect(shown).toMatchObject({ outcome: "completed", iteration: 8 });
    expect(shown.iterations.map(({ role, task }) => `${role} ${task}`)[1]).toBe("review US-001");
    expect(readFileSync(join(project.root, "command-lines"), "utf8")).toContain("--dangerously-skip-permissions");
  });

  it("refuses a scripted reviewer's fix and takes its second look, from list to list (S4-15, S4-93, CB-16)", async () => {
    const project = openList({ stories: [story("US-001")], acts: [acts.nothing], verifyCommands: ["test -f a.txt"] });
    const edit = (find: string, replace: string) => ({ edit: { file: "ralph/tasks.json", find, replace } });
    const verdict = (count: number) => [
      edit('"passes": false', '"passes": true'),
      edit('"needs_review"', '"approved"'),
      edit(`"reviewCount": ${count - 1}`, `"reviewCount": ${count}`),
      { run: "git add -A && git commit -qm review" },
      { claim: "COMPLETE" },
    ];
    const work = [
      { edit: { file: "a.txt", content: "hello" } },
      edit('"reviewStatus": null', '"reviewStatus": "needs_review"'),
      edit('"notes": ""', '"notes": "done"'),
      { run: "git add -A && git commit -qm feat" },
    ];
    project.sim(
      JSON.stringify({ turns: [work, [{ edit: { file: "a.txt", content: "better" } }, ...verdict(1)], verdict(2)] }),
    );
    expect(await project.prdRun()).toMatchObject({ code: 0 });
    expect(project.read("a.txt")).toBe("hello");
    const { iterations } = await project.shown();
    expect(iterations.map(({ role, violations }) => `${role} ${violations.length}`)).toEqual([
      "implement 0",
      "review 3",
      "review 0",
    ]);
  });
});
