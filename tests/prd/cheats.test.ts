import { describe, expect, it } from "vitest";
import { acts, openList, prdText } from "./list-project.ts";
import { approved, sentBack, type Story, story, submitted } from "./sample-task-file.ts";

type Cheat = { stories?: Story[]; act: string; told: string; kept?: string; left?: Story };

/** Lets an agent cheat in its first turn and do nothing in its second: never complete, and the second prompt says why. */
async function check(cheat: Cheat): Promise<void> {
  const { stories = [story("A"), story("B", { priority: 2 })], act, told, kept, left = {} } = cheat;
  const project = openList({ stories, acts: [act, acts.nothing] });
  const before = project.stories();
  const ended = await project.prdRun(["-n", "2"]);
  expect(ended).toMatchObject({ code: 1 });
  expect(project.prompts()).toHaveLength(2);
  expect(project.prompts()[1]).toContain(told);
  expect(project.stories()).toEqual(before.map((each) => ({ ...each, ...left })));
  expect(project.read("ralph/prd.md")).toBe(prdText);
  const { iterations } = await project.shown();
  expect(iterations[0]?.violations.join("\n")).toContain(told);
  expect(kept === undefined || project.has(kept)).toBe(true);
}

const bornApproved = JSON.stringify(story("C", approved));

describe("an agent that cheats on its task list is undone and told so:", () => {
  it("approves its own work, and no hook kept it from stopping (R-107, S4-53, S4-54, CW-4C, R-101)", () =>
    check({
      act: `list A passes=true reviewStatus='"approved"' reviewCount=1; commit cheat`,
      told: "Implement iterations cannot set passes=true or approve stories.",
    }));

  it("deletes what is left to do (CW-4E)", () =>
    check({ act: "list --drop B; commit cheat", told: "Story B was deleted." }));

  it("empties the list of stories (CW-4A, R-100)", () =>
    check({ act: "list --top userStories='[]'", told: "Story A was deleted." }));

  it("lowers the count of reviews (S4-59, S4-60)", () =>
    check({
      stories: [story("A", sentBack)],
      act: `list A reviewStatus='"needs_review"' reviewFeedback='""' reviewCount=0; commit cheat`,
      told: "Illegal transition: reviewCount 1 → 0.",
    }));

  it("approves without raising the count (S4-56, S4-57)", () =>
    check({
      stories: [story("A", { ...submitted, notes: "done" })],
      act: `list A passes=true reviewStatus='"approved"'; commit cheat`,
      told: "Review iteration made illegal transition on story A: reviewCount 0 → 0, expected 1.",
      left: { reviewCount: 1 },
    }));

  it("thins out what is asked (S4-42)", () =>
    check({ act: `list A acceptanceCriteria='["nothing"]'`, told: "acceptanceCriteria must not change during a run" }));

  it("changes the commands that verify", () =>
    check({ act: `list --top verifyCommands='["true"]'`, told: "verifyCommands must not change during a run." }));

  it("empties the file (S4-41, CW-4A, R-100)", () =>
    check({
      act: ": > ralph/tasks.json",
      told: "ralph/tasks.json was broken (tasks.json is empty); the last good one is back.",
      kept: ".ralph/kept_001_tasks.json",
    }));

  it("removes the file (R-100)", () => check({ act: "rm ralph/tasks.json", told: "ralph/tasks.json is missing" }));

  it("puts a link in the file's place", () =>
    check({ act: "ln -sf /etc/hostname ralph/tasks.json", told: "was broken", kept: ".ralph/kept_001_tasks.json" }));

  it("moves the whole folder away and leaves a link, and without a prompt the run cannot go on (CB-14)", async () => {
    const project = openList({ stories: [story("A")], acts: ["mv ralph ../gone; ln -s ../gone ralph"] });
    const ended = await project.prdRun(["-n", "2"]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain("ralph/prompt.md is missing; restore it and resume.");
    expect(project.stories()).toEqual([story("A")]);
    expect(project.read("ralph/prd.md")).toBe(prdText);
  });

  it("removes ralph's own folder together with the list, as git clean would", () =>
    check({
      act: "cp .ralph/settings.json ../kept; rm -rf .ralph; : > ralph/tasks.json; mkdir .ralph; mv ../kept .ralph/settings.json; git clean -qfdX",
      told: "ralph/tasks.json was broken (tasks.json is empty)",
      kept: ".ralph/kept_001_tasks.json",
    }));

  it("puts a file in the place of ralph's own folder", () =>
    check({
      act: "rm -rf .ralph; touch .ralph; : > ralph/tasks.json",
      told: "ralph/tasks.json was broken (tasks.json is empty)",
      kept: ".ralph.kept",
    }));

  it("floods the list with stories that are approved already, and its prompt stays short", async () => {
    const flood = `i=0; while [ $i -lt 40 ]; do list --add '${bornApproved.replace('"C"', `"'"C$i"'"`)}'; i=$((i+1)); done`;
    const project = openList({ stories: [story("A")], acts: [flood, acts.nothing] });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain("And 20 more violations.");
    expect(project.stories().filter(({ passes }) => passes === true)).toEqual([]);
  });

  it("writes types that are none (S4-45, R-100)", () =>
    check({ act: `list A reviewCount='"1"'`, told: "Story A: reviewCount must be a whole number" }));

  it("rewrites the PRD (S4-83)", () =>
    check({
      act: "echo Nothing is wanted. > ralph/prd.md",
      told: "ralph/prd.md is read-only during a run and was restored; what was there is kept as .ralph/kept_001_prd.md.",
      kept: ".ralph/kept_001_prd.md",
    }));

  it("edits .ralph-active (S4-14, R-102)", () =>
    check({
      act: `sed -i 's/"pid": [0-9]*/"pid": 1/; s/"mode": "direct"/"mode": "sandbox"/' .ralph-active`,
      told: ".ralph-active was edited (mode, pid).",
    }));

  it("deletes .ralph-active (R-102)", () => check({ act: "rm .ralph-active", told: ".ralph-active was deleted." }));

  it("claims to be done too early (S4-15, S4-78, R-105)", async () => {
    const project = openList({ stories: [story("A")], acts: [acts.claim, acts.nothing] });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain(
      "The completion tag was claimed, but not every task of the list is approved",
    );
  });

  it("adds stories that are approved already (CW-4E)", async () => {
    const project = openList({ stories: [story("A")], acts: [`list --add '${bornApproved}'`, acts.nothing] });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain("Story C is new and must start with passes=false");
    expect(project.stories()[1]).toMatchObject({ id: "C", passes: false, reviewStatus: null, reviewCount: 0 });
  });
});
