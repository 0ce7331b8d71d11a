import { describe, expect, it } from "vitest";
import { eventually, until } from "../run/scratch-project.ts";
import { acts, type ListProject, openList, prdText } from "./list-project.ts";
import { story, type Story, submitted } from "./sample-task-file.ts";

const a = story("A", { acceptanceCriteria: ["one", "two"] });
const idle = "echo more >> code.txt; commit more";
const untilToldTo = "touch ../turn; while [ ! -f ../go ]; do sleep 0.05; done";

/** What a person makes of a story between turns. */
function edit(project: ListProject, id: string, fields: Story): void {
  const list = JSON.parse(project.read("ralph/tasks.json")) as { userStories: Story[] };
  const userStories = list.userStories.map((each) => (each["id"] === id ? { ...each, ...fields } : each));
  project.write("ralph/tasks.json", `${JSON.stringify({ ...list, userStories }, null, 2)}\n`);
}

function editTop(project: ListProject, fields: Story): void {
  const list = JSON.parse(project.read("ralph/tasks.json")) as Story;
  project.write("ralph/tasks.json", `${JSON.stringify({ ...list, ...fields }, null, 2)}\n`);
}

async function notesOf(project: ListProject): Promise<string> {
  return (await project.shown()).notes.map(({ text }) => text).join("\n");
}

/** Starts a run, asks for a pause during its first turn, and waits until it is paused. */
async function pausedRun(project: ListProject) {
  const run = project.start(["prd", "run", "--unsafe", "-n", "2"]);
  await until(() => project.has("../turn"), "the turn");
  expect(await project.run(["pause"])).toMatchObject({ code: 0 });
  project.write("../go", "");
  await eventually(async () => expect(await project.json(["status"])).toMatchObject({ runs: [{ state: "paused" }] }));
  return run;
}

const kept = ["one", "two", "three"];
const revised = "People edited the task list between turns: prd.md was changed.";

describe("people's edits of a task list between turns (S4-83, CW-4C)", () => {
  it("after an end are a revision: not undone, named in the journal, and what the agent is held to", async () => {
    const project = openList({ stories: [a], acts: [idle, "echo nothing > ralph/prd.md; echo x >> code.txt"] });
    expect(await project.prdRun(["-n", "1"])).toMatchObject({ code: 1 });
    project.write("ralph/prd.md", "# Another PRD\n");
    edit(project, "A", { acceptanceCriteria: kept });
    expect(await project.run(["resume", "-m", "1"])).toMatchObject({ code: 1 });
    expect(project.read("ralph/prd.md")).toBe("# Another PRD\n");
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: kept }]);
    const notes = await notesOf(project);
    expect(notes).toContain(`${revised} Story A: the acceptance criterion three was added.`);
    const { iterations } = await project.shown();
    expect(iterations[0]?.violations).toEqual([]);
    expect(iterations[1]?.violations.join()).toContain("ralph/prd.md is read-only during a run and was restored");
  });

  it("in a pause are a revision, too, and only what the turn did is the agent's", async () => {
    const cheat = `list A acceptanceCriteria='["none"]'; echo agent > ralph/prd.md`;
    const project = openList({ stories: [a], acts: [`${untilToldTo}; ${cheat}; ${idle}`, idle] });
    const run = await pausedRun(project);
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: ["one", "two"] }]);
    expect(project.read("ralph/prd.md")).toBe(prdText);
    project.write("ralph/prd.md", "# Another PRD\n");
    edit(project, "A", { acceptanceCriteria: kept });
    expect(await project.run(["resume"])).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 1 });
    expect(project.read("ralph/prd.md")).toBe("# Another PRD\n");
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: kept }]);
    expect(await notesOf(project)).toContain(`${revised} Story A: the acceptance criterion three was added.`);
    expect(project.prompts()[1]).toContain("Story A: acceptanceCriteria must not change during a run.");
  });

  it("after a paused driver was killed are a revision: no agent was at work", async () => {
    const project = openList({ stories: [a], acts: [`${untilToldTo}; ${idle}`, idle] });
    const run = await pausedRun(project);
    run.child.kill("SIGKILL");
    await run.ended;
    project.write("ralph/prd.md", "# Another PRD\n");
    edit(project, "A", { acceptanceCriteria: kept });
    expect(await project.run(["resume"])).toMatchObject({ code: 1 });
    expect(project.read("ralph/prd.md")).toBe("# Another PRD\n");
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: kept }]);
    expect(await notesOf(project)).toContain(revised);
  });

  it("that finish the list in a pause end the run without another turn", async () => {
    const project = openList({ stories: [a], acts: [`${untilToldTo}; ${idle}`, idle] });
    const run = await pausedRun(project);
    edit(project, "A", { passes: true, reviewStatus: "approved", reviewCount: 1, notes: "by hand" });
    expect(await project.run(["resume"])).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(project.prompts()).toHaveLength(1);
  });

  it.each<[string, (project: ListProject) => void, string]>([
    [
      "an acceptance criterion",
      (project) => edit(project, "A", { acceptanceCriteria: ["one"] }),
      "Story A: the acceptance criterion two was removed.",
    ],
    [
      "a verify command",
      (project) => editTop(project, { verifyCommands: ["true"] }),
      "The verify command test -f code.txt was removed.",
    ],
  ])("that remove %s need --accept-edits off a terminal", async (_, change, said) => {
    const project = openList({ stories: [a], acts: [idle], verifyCommands: ["test -f code.txt"] });
    expect(await project.prdRun(["-n", "1"])).toMatchObject({ code: 1 });
    change(project);
    const list = project.read("ralph/tasks.json");
    const refused = await project.run(["resume", "-m", "1"]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(said);
    expect(refused.stderr).toContain("--accept-edits");
    expect(project.prompts()).toHaveLength(1);
    expect(await project.run(["resume", "-m", "1", "--accept-edits"])).toMatchObject({ code: 1 });
    expect(project.read("ralph/tasks.json")).toBe(list);
    expect(await notesOf(project)).toContain(said);
  });

  it("change the checks that an approval needs: a new verify command is run, a removed one is not", async () => {
    const project = openList({
      stories: [story("A", { ...submitted, notes: "done" })],
      acts: [acts.nothing, acts.approve("A"), acts.approve("A", 2)],
      verifyCommands: ["test -f code.txt"],
    });
    expect(await project.prdRun(["-n", "1"])).toMatchObject({ code: 1 });
    editTop(project, { verifyCommands: ["test -f code.txt", "test -f finished.txt"] });
    expect(await project.run(["resume", "-m", "1"])).toMatchObject({ code: 1 });
    expect(project.stories()).toMatchObject([{ passes: false, reviewCount: 1 }]);
    editTop(project, { verifyCommands: [] });
    expect(await project.run(["resume", "-m", "1", "--accept-edits"])).toMatchObject({ code: 0 });
    expect(project.stories()).toMatchObject([{ passes: true, reviewCount: 2 }]);
  });

  it("that remove a check in a pause, or break the list, leave the run paused", async () => {
    const project = openList({ stories: [a], acts: [`${untilToldTo}; ${idle}`, idle] });
    const run = await pausedRun(project);
    edit(project, "A", { acceptanceCriteria: ["one"] });
    const refused = await project.run(["resume"]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("Story A: the acceptance criterion two was removed.");
    const list = project.read("ralph/tasks.json");
    project.write("ralph/tasks.json", "{}");
    expect(await project.run(["resume"])).toMatchObject({ code: 2 });
    expect(await project.json(["status"])).toMatchObject({ runs: [{ state: "paused" }] });
    project.write("ralph/tasks.json", list);
    expect(await project.run(["resume", "--accept-edits"])).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 1 });
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: ["one"] }]);
  });
});
