import { describe, expect, it } from "vitest";
import { acts, commitAll, type ListRequest, type ListProject, openList } from "./list-project.ts";
import { approved, story } from "./sample-task-file.ts";

const finished = (request: Partial<ListRequest> = {}): ListProject =>
  openList({ stories: [story("A", approved)], acts: [acts.nothing], ...request });

const criteria = (command: string): string =>
  JSON.stringify({
    outcome: "It works.",
    acceptance_criteria: ["it works"],
    coder: { promise: "DONE", verification_method: "external", verification_config: { command } },
  });

/** Starts a run on a list whose stories are all approved: no agent is started, whatever the checks say. */
async function check(project: ListProject, code: number, said: Record<string, unknown>): Promise<void> {
  const ended = await project.prdRun();
  expect(ended.stderr).not.toContain("iterations each");
  expect(project.prompts()).toEqual([]);
  expect(await project.json(["show"])).toMatchObject(said);
  expect(ended.code).toBe(code);
  expect(project.has(".ralph-active")).toBe(false);
}
const red = {
  outcome: "stopped",
  reason: expect.stringContaining("Every task is approved, but the checks are not green"),
};

describe("a run on a finished list asks every gate without a turn", () => {
  it("and does not complete with a red guardrail", () =>
    check(finished({ settings: { guardrails: [{ command: "false", failAction: "APPEND" }] } }), 4, red));

  it("and does not complete with a red verify command", () => check(finished({ verifyCommands: ["false"] }), 4, red));

  it("and does not complete with a red criterion of the project, however often it is started", async () => {
    const project = finished();
    project.write("ralph/criteria.yaml", criteria("false"));
    await check(project, 4, red);
    await check(project, 4, red);
  });

  it("and completes, verified, when they are green", () =>
    check(finished({ verifyCommands: ["test -f code.txt"] }), 0, {
      outcome: "completed",
      isVerified: true,
      reason: "Every task was approved before the first turn: test -f code.txt green; the task list unverified.",
    }));

  it("and asks each check once", async () => {
    const project = finished({ verifyCommands: ["echo asked >> ../asked"] });
    await check(project, 0, { outcome: "completed" });
    expect(project.read("../asked")).toBe("asked\n");
  });

  it("and completes unverified where no check is configured: nobody saw those reviews", () =>
    check(finished(), 0, { outcome: "completed", isVerified: false }));
});

it("a finished list is put away only after its checks were asked, says the status", async () => {
  const { stdout } = await finished().run(["prd", "status"]);
  expect(stdout).toContain(
    "Next: no turn, every story is done. Ask the checks: ralph prd run. Then put the list away: ralph prd archive",
  );
});

describe("a run whose last story is approved while the work is not accepted", () => {
  const worked = (extra: string, request: Partial<ListRequest> = {}): ListProject =>
    openList({
      stories: [story("A")],
      acts: [`${extra}${acts.implement("A")}`, acts.approve("A")],
      settings: { scm: { command: "git", tasks: ["commit"] } },
      ...request,
    });

  it("says which check is red, that no turn follows and what a person can do", async () => {
    const project = worked("");
    project.write("ralph/criteria.yaml", criteria("exit 3"));
    const { stderr, code } = await project.prdRun();
    expect([code, project.prompts().length]).toEqual([4, 2]);
    expect(stderr).toContain(
      "Every task is approved, but the checks are not green: DONE: Command exited with 3, expected 0. No turn is left for it:",
    );
    expect(stderr).toContain("set a story back to changes_requested");
    expect(stderr).not.toContain("the agent is told");
    expect(stderr).toContain('  still open: criterion "DONE" is not met');
  });

  it("goes on with a turn when a person sets a story back, as the reason says", async () => {
    const fix = `touch fixed.txt; ${acts.fix("A")}`;
    const project = worked("", { acts: [acts.implement("A"), acts.approve("A"), fix, acts.approve("A", 2)] });
    project.write("ralph/criteria.yaml", criteria("test -f fixed.txt"));
    expect((await project.prdRun()).code).toBe(4);
    const list = JSON.parse(project.read("ralph/tasks.json")) as { userStories: object[] };
    const back = { passes: false, reviewStatus: "changes_requested", reviewFeedback: "make fixed.txt" };
    const userStories = list.userStories.map((each) => ({ ...each, ...back }));
    project.write("ralph/tasks.json", JSON.stringify({ ...list, userStories }));
    const { code, stderr } = await project.run(["resume"]);
    expect({ code, stderr, turns: project.prompts().length }).toMatchObject({ code: 0, turns: 4 });
  });

  it("names what is delivered and was not checked, when that is the reason", async () => {
    const project = worked("git update-index --assume-unchanged a.txt; echo two > a.txt; ");
    project.write("a.txt", "one");
    commitAll(project);
    expect((await project.prdRun()).code).toBe(4);
    const { stdout } = await project.run(["show"]);
    expect(stdout).toMatch(
      /stopped: Every task is approved, but what is delivered is not what was checked, twice: a\.txt\./,
    );
    expect(stdout).not.toContain("the checks are not green");
  });
});
