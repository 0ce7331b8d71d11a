import { describe, expect, it } from "vitest";
import { eventually, until } from "../run/scratch-project.ts";
import { acts, openList } from "./list-project.ts";
import { story, submitted } from "./sample-task-file.ts";

const hang = "touch ../hangs; sleep 600";
const untilToldTo = "while [ ! -f ../go ]; do sleep 0.05; done";
const cheat = `list A passes=true reviewStatus='"approved"' reviewCount=1; commit cheat`;
const waiting = { ...submitted, notes: "done" };

describe("while ralph prd run is at work", () => {
  it(".ralph-active says so, and nothing of it is left at the end (S4-11, S4-12, S4-14, R-25)", async () => {
    const project = openList({ stories: [story("A")], acts: ["cp .ralph-active ../active"] });
    project.write("draft.txt", "mine");
    const started = project.start(["prd", "run", "--unsafe", "-n", "1"]);
    expect(await started.ended).toMatchObject({ code: 1 });
    const active = JSON.parse(project.read("../active")) as Record<string, unknown>;
    const { id } = ((await project.json(["status"])) as { runs: { id: string }[] }).runs[0] ?? { id: "" };
    expect(active).toMatchObject({
      max_iterations: 1,
      mode: "direct",
      skipReview: false,
      reviewCap: 5,
      iterationMode: "implement",
      preIterationSnapshot: { A: { passes: false, reviewStatus: null, reviewCount: 0 } },
      run: id,
      ralphDir: "ralph",
      dirtyAtStart: { "draft.txt": expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    });
    expect(Number.isInteger(active["pid"])).toBe(true);
    expect(new Date(String(active["timestamp"])).toISOString()).toBe(active["timestamp"]);
    expect(project.has(".ralph-active")).toBe(false);
  });

  it("a second run is refused, and the first one's files stay (S4-90, S4-91, R-24)", async () => {
    const project = openList({ stories: [story("A")], acts: [hang] });
    const first = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    const active = project.read(".ralph-active");
    const second = await project.prdRun(["--create-branch"]);
    expect(second).toMatchObject({ code: 2 });
    expect(second.stderr).toContain("is already worked on by run");
    expect(project.read(".ralph-active")).toBe(active);
    expect(project.git("branch", "--show-current").trim()).toBe("master");
    expect(await project.run(["cancel"])).toMatchObject({ code: 0 });
    expect(await first.ended).toMatchObject({ code: 5 });
  });

  it("a cancel during a turn leaves a list in order (CW-4C, CW-4O, R-102)", async () => {
    const project = openList({ stories: [story("A")], acts: [`${cheat}; ${hang}`] });
    const run = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    expect(await project.run(["cancel"])).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 5 });
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: null, reviewCount: 0 }]);
    expect(project.has(".ralph-active")).toBe(false);
  });

  it("kill -9 in a review loses its verdict and its code, and resume repeats the turn (CW-4C)", async () => {
    const changing = `echo improved >> code.txt; list A passes=true reviewStatus='"approved"' reviewCount=1; commit sneaky`;
    const project = openList({ stories: [story("A", waiting)], acts: [`${changing}; ${hang}`, acts.approve("A")] });
    const run = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    run.child.kill("SIGKILL");
    await run.ended;
    expect(project.has(".ralph-active")).toBe(true);
    const resumed = await project.run(["resume"]);
    expect(resumed).toMatchObject({ code: 0 });
    expect(project.prompts()[1]).toContain("# Iteration 1 of 15");
    expect(project.prompts()[1]).toContain("Code was changed in the review of story A (code.txt).");
    expect(project.read("code.txt")).toBe("first\n");
    expect(project.stories()).toMatchObject([{ passes: true, reviewCount: 1 }]);
    expect((await project.shown()).notes.map(({ text }) => text).join("\n")).toContain("this run takes over");
    expect(project.has(".ralph-active")).toBe(false);
  });

  it("a cancel of a run that died puts its list in order, too (CW-4C)", async () => {
    const project = openList({ stories: [story("A")], acts: [`${cheat}; ${hang}`] });
    const run = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    run.child.kill("SIGKILL");
    await run.ended;
    expect(await project.run(["cancel"])).toMatchObject({ code: 0 });
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: null, reviewCount: 0 }]);
    expect(await project.shown()).toMatchObject({ outcome: "cancelled" });
    expect(project.has(".ralph-active")).toBe(false);
  });

  it("a pause holds the next turn back, and resume lets it begin", async () => {
    const project = openList({
      stories: [story("A")],
      acts: [`touch ../hangs; ${untilToldTo}; ${acts.implement("A")}`, acts.approve("A")],
    });
    const run = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    expect(await project.run(["pause"])).toMatchObject({ code: 0 });
    project.write("../go", "");
    await eventually(async () =>
      expect(await project.json(["status"])).toMatchObject({ runs: [{ state: "paused", iteration: 1 }] }),
    );
    expect(project.prompts()).toHaveLength(1);
    expect(await project.run(["resume"])).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 0 });
  });

  it("the first signal lets the turn end, and the list is in order (CW-4O)", async () => {
    const project = openList({ stories: [story("A")], acts: [`touch ../hangs; ${untilToldTo}; ${cheat}`] });
    const run = project.start(["prd", "run", "--unsafe"]);
    await until(() => project.has("../hangs"), "the turn");
    run.child.kill("SIGINT");
    await until(() => run.stderr().includes("Received signal"), "the signal");
    project.write("../go", "");
    expect(await run.ended).toMatchObject({ code: 130 });
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: null }]);
    expect(project.has(".ralph-active")).toBe(false);
  });
});

it("a signal during a review costs none: the story is reviewed again, and nothing untrue is said of its checks", async () => {
  const project = openList({
    stories: [story("A", { reviewStatus: "needs_review", notes: "done" })],
    acts: [`touch ../hangs; ${untilToldTo}; ${acts.approve("A")}`, acts.approve("A")],
    verifyCommands: ["true"],
  });
  const run = project.start(["prd", "run", "--unsafe"]);
  await until(() => project.has("../hangs"), "the turn");
  run.child.kill("SIGINT");
  await until(() => run.stderr().includes("Received signal"), "the signal");
  project.write("../go", "");
  expect(await run.ended).toMatchObject({ code: 130 });
  expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: "needs_review", reviewCount: 0 }]);
  expect(await project.run(["resume"])).toMatchObject({ code: 0 });
  expect(project.stories()).toMatchObject([{ passes: true, reviewStatus: "approved", reviewCount: 1 }]);
  expect(project.prompts().at(-1)).toContain("stopped before the checks of the turn that reviewed story A");
});

describe("a run on a task list", () => {
  it("repeats an empty answer under its number, and stops after three (S4-20, CW-4K)", async () => {
    const project = openList({ stories: [story("A")], acts: [acts.silent, acts.implement("A"), acts.silent] });
    const ended = await project.prdRun();
    expect(ended).toMatchObject({ code: 4 });
    expect(ended.stderr).toContain("3 turns in a row answered nothing.");
    const numbers = project.prompts().map((text) => /# Iteration (\d+)/.exec(text)?.[1]);
    expect(numbers).toEqual(["1", "1", "2", "2", "2"]);
  });

  it("ends with 1 when its iterations are used up, and goes on with more (S4-17)", async () => {
    const project = openList({ stories: [story("A")], acts: [acts.implement("A"), acts.approve("A")] });
    expect(await project.prdRun(["-n", "1"])).toMatchObject({ code: 1 });
    expect(await project.run(["resume", "-m", "1"])).toMatchObject({ code: 0 });
    expect(project.stories()).toMatchObject([{ passes: true }]);
  });

  it("takes the list as people left it when it is resumed", async () => {
    const project = openList({ stories: [story("A"), story("B", { priority: 2 })], acts: [acts.nothing] });
    await project.prdRun(["-n", "1"]);
    project.write("ralph/tasks.json", project.read("ralph/tasks.json").replace('"priority": 2', '"priority": 0'));
    expect(await project.run(["resume", "-m", "1"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain("You implement B");
    project.write("ralph/tasks.json", "{}");
    const broken = await project.run(["resume", "-m", "1"]);
    expect(broken).toMatchObject({ code: 2 });
    expect(broken.stderr).toContain("userStories must be a list");
  });

  it("lets a turn submit the first part of the story it split (CW-4E)", async () => {
    const part = (id: string, fields: object): string => JSON.stringify(story(id, { splitFrom: "A", ...fields }));
    const split = `list --drop A; list --add '${part("A1", waiting)}'; list --add '${part("A2", {})}'; echo half >> code.txt; commit split`;
    const project = openList({
      stories: [story("A")],
      acts: [split, acts.approve("A1"), acts.implement("A2"), acts.approve("A2")],
    });
    expect(await project.prdRun(["-n", "4"])).toMatchObject({ code: 0 });
    expect(project.prompts()[1]).toContain("You review A1");
  });

  it("works outside git, where changed files are progress (CW-4Q, R-110)", async () => {
    const project = openList({
      stories: [story("A")],
      acts: [acts.implement("A"), acts.refuse("A"), acts.fix("A"), acts.approve("A", 2)],
      isGit: false,
    });
    expect(await project.prdRun()).toMatchObject({ code: 0 });
    const stuck = openList({ stories: [story("A")], acts: [acts.nothing], isGit: false });
    expect(await stuck.prdRun()).toMatchObject({ code: 4 });
  });

  it("takes a verdict for progress where nothing is committed (R-110)", async () => {
    const ids = ["A", "B", "C", "D"];
    const project = openList({
      stories: ids.map((id) => story(id, waiting)),
      acts: ids.map((id) => acts.approve(id)),
      isGit: false,
    });
    expect(await project.prdRun()).toMatchObject({ code: 0 });
  });

  it("takes a commit for progress, and names what an agent did not commit (R-106, R-110, CB-11)", async () => {
    const idle = "echo more >> log.txt; git add log.txt; git commit -q -m more";
    const project = openList({
      stories: [story("A")],
      acts: [idle, idle, idle, "echo new > new.txt; echo more >> note.txt"],
    });
    project.write("draft.txt", "mine");
    project.write("note.txt", "mine");
    expect(await project.prdRun(["-n", "4"])).toMatchObject({ code: 1 });
    const notes = (await project.shown()).notes.map(({ text }) => text);
    expect(notes).toContain("Iteration 4 left changes uncommitted: new.txt, note.txt.");
    expect(notes.join("\n")).not.toContain("draft.txt");
  });

  it("keeps a log of every turn and a line for each iteration (S4-18)", async () => {
    const project = openList({ stories: [story("A")], acts: [acts.implement("A"), acts.approve("A")] });
    const ended = await project.prdRun();
    expect(ended.stdout).toContain("Turn 1 is over.");
    expect(project.read(".ralph/prd_001_implement.log")).toContain("Turn 1 is over.");
    expect(project.has(".ralph/prd_002_review.log")).toBe(true);
    const lines = project.read(".ralph/summary.csv").trim().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain(",2,review,A,ended,approved,true,1,0,");
    const shown = await project.run(["show"]);
    expect(shown.stdout).toContain("Iteration 2: review A");
  });

  it("has its own verdicts on red checks in the baseline (S4-97)", async () => {
    const project = openList({ stories: [story("A")], acts: [acts.nothing], verifyCommands: ["false"] });
    await project.prdRun(["-n", "2"]);
    expect(project.prompts()[1]).toContain("baseline-broken");
  });
});
