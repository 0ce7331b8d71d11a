import { describe, expect, it } from "vitest";
import { acts, type ListRequest, type ListProject, openList } from "./list-project.ts";
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
