import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, type ListProject, openList } from "./list-project.ts";
import { type Story, story } from "./sample-task-file.ts";

const one = [story("A")];
const list = (stories: Story[] = one): ListProject => openList({ stories, acts: [acts.nothing] });

/** Nothing starts: no turn, no run, and the words say what to do. */
async function check(project: ListProject, words: string[], said: string, code = 2): Promise<void> {
  const ended = await project.run(["prd", "run", ...words]);
  expect(ended.stderr).toContain(said);
  expect(ended.code).toBe(code);
  expect(project.prompts()).toEqual([]);
  expect(await project.json(["status"])).toEqual({ runs: [] });
  expect(project.has(".ralph-active")).toBe(false);
}

describe("the files of the list before the first turn (CW-4Q)", () => {
  const loose = (settings: Record<string, unknown> = {}): ListProject => {
    const project = openList({ stories: one, acts: [acts.nothing], settings });
    project.write("ralph/tasks.json", project.read("ralph/tasks.json").replace("A shop", "Two shops"));
    project.git("rm", "--quiet", "--cached", "ralph/prd.md");
    project.git("commit", "--quiet", "--message", "forgotten");
    return project;
  };

  it("are named with the command that commits them", async () => {
    const { stderr } = await loose().prdRun(["-n", "1"]);
    expect(stderr).toContain("ralph/prd.md, ralph/tasks.json are not committed.");
    expect(stderr).toContain('git add ralph/prd.md ralph/tasks.json && git commit -m "task list"');
  });

  it("are committed, and nothing else, when the run delivers", async () => {
    const project = loose({ scm: { command: "git", tasks: ["commit"] } });
    project.write("draft.txt", "mine");
    const { stderr } = await project.prdRun(["-n", "1", "--create-branch"]);
    expect(stderr).toContain("Committed ralph/prd.md, ralph/tasks.json.");
    expect(stderr).not.toContain("changes that are not committed");
    const commit = project.git("log", "--format=%H", "--grep=chore: task list of ralph", "ralph/shop").trim();
    expect(project.git("show", "--format=", "--name-only", commit)).toBe("ralph/prd.md\nralph/tasks.json\n");
  });

  it("are not mentioned when git has them, or outside git", async () => {
    expect((await list().prdRun(["-n", "1"])).stderr).not.toContain("not committed");
    const outside = openList({ stories: one, acts: [acts.nothing], isGit: false });
    expect((await outside.prdRun(["-n", "1"])).stderr).not.toContain("not committed");
  });
});

describe("ralph prd run does not start", () => {
  it.each([
    ["ralph/tasks.json", "ralph/tasks.json is missing"],
    ["ralph/prompt.md", "ralph/prompt.md is missing"],
    ["ralph/prd.md", "ralph/prd.md is missing"],
    ["ralph", "There is no task list in ralph/."],
  ])("without %s (S4-22)", async (path, said) => {
    const project = list();
    rmSync(join(project.directory, path), { recursive: true });
    await check(project, ["--unsafe"], said);
  });

  it.each([
    ["not JSON", "{", "tasks.json is not JSON"],
    ["a wrong type", JSON.stringify({ userStories: 1 }), "userStories must be a list"],
  ])("with a task file that is %s (S4-22, R-100)", async (_, text, said) => {
    const project = list();
    project.write("ralph/tasks.json", text);
    await check(project, ["--unsafe"], said);
  });

  it("with no story at all (CW-4A)", () => check(list([]), ["--unsafe"], "ralph/tasks.json has no stories."));

  it("with the template's story: plan first", async () => {
    const project = list();
    await project.run(["prd", "init", "--force"]);
    await check(project, ["--unsafe"], "ralph prd plan");
  });

  it("with a story that passes without a review", () =>
    check(
      list([story("A", { passes: true, notes: "done" })]),
      ["--unsafe"],
      "Story A has passes=true but reviewStatus is",
    ));

  it("below the reviews a story has had already, and names the flag that lowered the cap (S4-49)", async () => {
    const project = list([story("A", { reviewStatus: "needs_review", reviewCount: 4, notes: "done" })]);
    await check(project, ["--unsafe", "--review-cap", "2"], "expected 0 to 3 with a review cap of 2 (--review-cap).");
    await check(project, ["--unsafe", "--review-cap", "2"], "Start with --review-cap 4 or more, or correct the file.");
    const shown = await project.run(["prd", "status", "--review-cap", "2"]);
    expect(shown.stdout).toContain("held at the review cap of 2 (--review-cap).");
  });

  it("without the agent's program (S4-22)", () =>
    check(list(), ["--unsafe", "--agent", "no-such-agent"], "The agent program no-such-agent was not found."));

  it("in a sandbox that is not there", () =>
    check(list(), ["--sandbox"], "--sandbox: this version of ralph has no sandbox."));

  it("directly without a guard, unless a person accepts that (S4-09, CW-4B)", () =>
    check(list(), ["--no-sandbox", "--agent", "sh"], "Start with --unsafe to accept that"));

  it.each([
    ["a circle", [story("A", { dependsOn: ["B"] }), story("B", { dependsOn: ["A"] })], "in a circle: A → B → A."],
    ["an unknown story", [story("A", { dependsOn: ["X"] })], "Story A depends on X, which does not exist."],
    ["itself", [story("A", { dependsOn: ["A"] })], "Story A depends on itself."],
  ])("when a story waits for %s (CW-4G, R-104)", (_, stories, said) => check(list(stories), ["--unsafe"], said, 4));

  it.each([
    ["-n", "0", '--maximum-iterations takes a whole number of at least 1, found "0".'],
    ["--max-iterations", "many", '--maximum-iterations takes a whole number of at least 1, found "many".'],
    ["--review-cap", "0", "--review-cap takes a whole number of at least 1"],
    ["--no-such-flag", "1", "unknown option '--no-such-flag'"],
  ])("with %s %s (S4-06)", (flag, value, said) => check(list(), ["--unsafe", flag, value], said));
});

describe("ralph prd run starts", () => {
  it("with its own letters and both long names (S4-05, S4-06)", async () => {
    const project = list();
    const ended = await project.run(["prd", "run", "--unsafe", "-n", "1", "-m", "large", "-d", project.directory]);
    expect(ended).toMatchObject({ code: 1 });
    expect(project.read("../command-lines")).toContain("--model large");
    expect(await project.prdRun(["--max-iterations=2"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain("# Iteration 1 of 2");
    expect(await project.prdRun(["--maximum-iterations", "2"])).toMatchObject({ code: 1 });
  });

  it("with claude from the PATH where no settings name an agent, guarded (S4-22, S4-94)", async () => {
    const project = list();
    rmSync(join(project.directory, ".ralph"), { recursive: true });
    const env = { PATH: `${join(project.root, "agents")}:${process.env["PATH"] ?? ""}` };
    expect(await project.run(["prd", "run", "-n", "1"], { env })).toMatchObject({ code: 1 });
    expect(project.prompts()).toHaveLength(1);
    expect(project.read("../command-lines")).toContain("--dangerously-skip-permissions");
    const none = await project.run(["prd", "run", "-n", "1"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("No agent is configured")]);
  });

  it("in another folder of work files (S4-06)", async () => {
    const project = list();
    project.git("mv", "ralph", "plan");
    expect(await project.prdRun(["-n", "1", "--ralph-dir", "plan"])).toMatchObject({ code: 1 });
    expect(project.prompts()[0]).toContain("files in plan.");
  });

  it("with a word about the branch, and switches on request (CW-4S)", async () => {
    const project = list();
    const warned = await project.prdRun(["-n", "1"]);
    expect(warned.stderr).toContain("HEAD is on branch master, the task list names ralph/shop.");
    await project.prdRun(["-n", "1", "--create-branch"]);
    expect(project.git("branch", "--show-current").trim()).toBe("ralph/shop");
    project.git("switch", "--quiet", "master");
    const again = await project.prdRun(["-n", "1", "--create-branch"]);
    expect(again.stderr).toContain("Switched to branch ralph/shop.");
  });

  it("with an estimate, and says when the iterations cannot be enough (S4-92, S4-98)", async () => {
    const ended = await list([story("A"), story("B")]).prdRun(["-n", "1"]);
    expect(ended.stderr).toContain(
      "2 stories x ~3 iterations each = ~6 (at least 4, in the worst case 20; 1 at most).",
    );
    expect(ended.stderr).toContain("1 iterations cannot be enough");
  });
});

it("marks its calls of git as its own: another start at the same moment does not end them (R-43)", async () => {
  const project = list();
  const turns = join(project.root, "turns");
  const shim = join(project.root, "agents", "git");
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(shim, `#!/bin/sh\necho "$RALPH_TURN" >> '${turns}'\nexec ${git} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${join(project.root, "agents")}:${process.env["PATH"] ?? ""}` };
  await project.run(["prd", "run", "--unsafe", "-n", "1"], { env });
  const markers = [...new Set(readFileSync(turns, "utf8").trim().split("\n"))];
  const { runs } = (await project.json(["status"])) as { runs: { id: string }[] };
  const isOwn = (turnMarker: string): boolean =>
    /^\w+(?:-\d+|\.\w+\/\d+)/.test(turnMarker) || turnMarker.startsWith(runs[0]?.id ?? "-");
  expect(markers.length).toBeGreaterThan(2);
  expect(markers.filter((turnMarker) => !isOwn(turnMarker))).toEqual([]);
});

describe("ralph prd run --dry-run", () => {
  it("shows what done means and the first turn, and starts and writes nothing (S1-81)", async () => {
    const project = list();
    const before = project.git("status", "--porcelain", "--ignored");
    const { code, stdout } = await project.run(["prd", "run", "--unsafe", "--dry-run", "-n", "7", "--create-branch"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Nothing is started and nothing is stored.");
    expect(stdout).toContain("Done means:\n  every task of the list is approved\n");
    expect(stdout).toMatch(/^Limits: +iterations 7,/m);
    expect(project.prompts()).toEqual([]);
    expect(project.has(".ralph-active")).toBe(false);
    expect(project.git("status", "--porcelain", "--ignored")).toBe(before);
    expect(await project.json(["prd", "run", "--unsafe", "--dry-run"])).toMatchObject({
      contract: { claimBy: "gate" },
    });
    expect(await project.json(["status"])).toEqual({ runs: [] });
  });
});
