import { describe, expect, it } from "vitest";
import { acts, openList } from "./list-project.ts";
import { sentBack, story, submitted } from "./sample-task-file.ts";

const waiting = { ...submitted, notes: "done" };
const changing = "echo improved >> code.txt; echo new > helper.txt";
const approving = `list A reviewStatus='"approved"' passes=true reviewCount=1`;

describe("a review that changes code", () => {
  it.each([
    ["committed", `${changing}; ${approving}; commit sneaky`, 1],
    ["uncommitted", `${changing}; ${approving}; git commit -q -m review ralph`, 0],
    [
      "committed and taken back only in the work tree",
      `${changing}; ${approving}; commit sneaky; git show HEAD~1:code.txt > code.txt; rm helper.txt`,
      1,
    ],
  ])("is undone by a commit of ralph, and its verdict does not count: %s (S4-68, CB-16)", async (_, act, commits) => {
    const project = openList({ stories: [story("A", waiting)], acts: [act, acts.nothing] });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.stories()).toMatchObject([{ reviewStatus: "needs_review", passes: false, reviewCount: 1 }]);
    expect(project.prompts()[1]).toContain("Code was changed in the review of story A (");
    expect(project.read("code.txt")).toBe("first\n");
    expect(project.has("helper.txt")).toBe(false);
    expect(project.git("show", "HEAD:code.txt")).toBe("first\n");
    const subjects = project.git("log", "--format=%s").split("\n");
    expect(subjects.filter((line) => line === "ralph: undo code changed in review of A")).toHaveLength(commits);
    expect(project.read(".ralph/001_review_A.patch")).toContain("+improved");
    expect(project.git("status", "--porcelain", "--", ".", ":!ralph", ":!.ralph")).toBe("");
  });

  it.each([
    ["a clean filter", "git config filter.hide.clean 'echo first'; echo 'code.txt filter=hide' > .git/info/attributes"],
    ["another work tree", 'git config core.worktree "$(mktemp -d)"'],
    ["a monitor that hangs", "git config core.fsmonitor 'sleep 60; false'"],
  ])("is found out behind %s that it set up", async (_what, hiding) => {
    const act = `${approving}; echo improved >> code.txt; ${hiding}`;
    const project = openList({ stories: [story("A", waiting)], acts: [act, acts.nothing] });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.prompts()[1]).toContain("Code was changed in the review of story A (code.txt).");
    expect(project.read("code.txt")).toBe("first\n");
    expect(project.stories()).toMatchObject([{ passes: false }]);
  });

  it("leaves what a person had not committed as it was (R-106, CW-4Q)", async () => {
    const act = `echo improved >> code.txt; echo mine >> notes.txt; ${approving}; git commit -q -a -m sneaky`;
    const project = openList({ stories: [story("A", waiting)], acts: [act, acts.nothing] });
    project.write("notes.txt", "a draft\n");
    project.write("code.txt", "first\nedited by hand\n");
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.read("code.txt")).toBe("first\nedited by hand\n");
    expect(project.read("notes.txt")).toBe("a draft\n");
    expect(project.git("show", "HEAD:code.txt")).toBe("first\n");
  });

  it("is found out when a pattern ignores the tracked file", async () => {
    const act = `echo improved >> built.js; ${approving}; commit sneaky`;
    const project = openList({ stories: [story("A", waiting)], acts: [act, acts.nothing] });
    project.write("built.js", "old\n");
    project.git("add", "--force", "built.js");
    project.write(".gitignore", ".ralph-active\n*.js\n");
    project.git("commit", "--quiet", "--all", "--message", "built");
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.read("built.js")).toBe("old\n");
    expect(project.stories()).toMatchObject([{ passes: false }]);
  });

  it("is found out in a list that lies in the project's own folder", async () => {
    const act = `echo improved >> code.txt; mv tasks.json ralph.json; sed 's/"needs_review"/"approved"/; s/"passes": false/"passes": true/; s/"reviewCount": 0/"reviewCount": 1/' ralph.json > tasks.json; rm ralph.json`;
    const project = openList({ stories: [story("A", waiting)], acts: [act, acts.nothing] });
    project.git("mv", "ralph/tasks.json", "ralph/prd.md", "ralph/progress.txt", "ralph/prompt.md", ".");
    project.git("commit", "--quiet", "--all", "--message", "moved");
    expect(await project.prdRun(["-n", "2", "--ralph-dir", "."])).toMatchObject({ code: 1 });
    expect(project.read("code.txt")).toBe("first\n");
    expect(project.prompts()[1]).toContain("Code was changed in the review of story A (code.txt).");
  });

  it("may write into the progress log and the lasting notes (S4-96)", async () => {
    const act = `echo learned >> ralph/progress.txt; echo Use make. > AGENTS.md; ${approving}; commit review`;
    const project = openList({ stories: [story("A", waiting)], acts: [act] });
    expect(await project.prdRun()).toMatchObject({ code: 0 });
  });

  it("is said to be undone only when it was", async () => {
    const lost = `${changing}; touch .git/index.lock; ${approving}`;
    const project = openList({ stories: [story("A", waiting)], acts: [lost, acts.nothing] });
    const { stderr } = await project.prdRun(["-n", "2"]);
    expect(stderr).toContain("The code changed in a review could not be undone: ");
    expect(stderr).not.toContain("was undone");
  });

  it("is refused outside git, too, where nothing can be undone (CW-4Q)", async () => {
    const project = openList({
      stories: [story("A", waiting)],
      acts: [`${changing}; ${approving}`, acts.nothing],
      isGit: false,
    });
    expect(await project.prdRun(["-n", "2"])).toMatchObject({ code: 1 });
    expect(project.stories()).toMatchObject([{ reviewStatus: "needs_review", passes: false, reviewCount: 1 }]);
    expect(project.prompts()[1]).toContain("Outside git the change could not be undone.");
  });
});

describe("reviews", () => {
  it("are made by an agent of their own, with its model (CB-16)", async () => {
    const project = openList({
      stories: [story("A", waiting)],
      acts: [acts.approve("A")],
      settings: { agent: { model: "worker" }, review: { agent: { model: "judge", flags: ["--strict"] } } },
    });
    expect(await project.prdRun()).toMatchObject({ code: 0 });
    const [line] = project.read("../command-lines").split("\n");
    expect(line).toContain("--model judge");
    expect(line).toContain("--strict");
  });

  it("end at the cap with an approval that keeps the feedback, and the end names it (CW-4I, R-103, S4-99)", async () => {
    const project = openList({ stories: [story("A", waiting)], acts: [acts.refuse("A")] });
    const ended = await project.prdRun(["--review-cap", "1"]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toContain("Approved at the review cap with open feedback: A.");
    expect(project.stories()).toMatchObject([
      { passes: true, reviewStatus: "approved", reviewCount: 1, reviewFeedback: "[AUTO-APPROVED AT CAP] name it" },
    ]);
  });

  it("are held at the cap for a person when the settings say so (CW-4I)", async () => {
    const settings = { review: { cap: 1, atCap: "hold" } };
    const project = openList({ stories: [story("A", waiting)], acts: [acts.refuse("A")], settings });
    const ended = await project.prdRun();
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toContain("Story A is held at the review cap of 1.");
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: "changes_requested" }]);
  });

  it.each([
    ["refused", acts.refuse("A")],
    ["approved", acts.approve("A")],
  ])("never approve with a red check: held at the cap when %s (CW-4I, S4-97)", async (_, act) => {
    const verifyCommands = ["test -f finished.txt"];
    const project = openList({ stories: [story("A", waiting)], acts: [act], verifyCommands });
    const ended = await project.prdRun(["--review-cap", "1"]);
    expect(ended).toMatchObject({ code: 3 });
    expect(project.stories()).toMatchObject([{ passes: false }]);
  });

  it("count no approval with a red check, and the next prompt shows the check (S4-97)", async () => {
    const project = openList({
      stories: [story("A", waiting)],
      acts: [acts.approve("A"), acts.refuse("A", 2), `touch finished.txt; ${acts.fix("A")}`, acts.approve("A", 3)],
      verifyCommands: ["test -f finished.txt"],
    });
    expect(await project.prdRun()).toMatchObject({ code: 0 });
    expect(project.prompts()[1]).toContain('Guardrail "test -f finished.txt" failed with exit code 1.');
    expect(project.prompts()[1]).toContain("Story A was approved, but the turn failed or a check is red");
    expect(project.stories()).toMatchObject([{ passes: true, reviewCount: 3 }]);
  });

  it("that never give a valid verdict end beyond the cap, for a person (R-103)", async () => {
    const project = openList({
      stories: [story("A", waiting)],
      acts: [`echo improved >> code.txt; ${approving}; commit sneaky`],
    });
    const ended = await project.prdRun(["--review-cap", "2"]);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toContain("Story A is held at the review cap of 2 (--review-cap).");
    expect(project.prompts()).toHaveLength(3);
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: "needs_review", reviewCount: 3 }]);
  });

  it("that say nothing count as no progress and are told so (CW-4D, R-110)", async () => {
    const project = openList({ stories: [story("A", waiting)], acts: [acts.nothing] });
    const ended = await project.prdRun();
    expect(ended).toMatchObject({ code: 4 });
    expect(ended.stderr).toContain("3 turns in a row changed neither files, commits nor check results.");
    expect(project.prompts()[1]).toContain("This is a review iteration and no story was reviewed.");
  });

  it("are skipped on request: passes alone completes, leftovers are implemented (S4-21, CW-4F, R-109)", async () => {
    const pass = (id: string): string => `echo ${id} >> code.txt; list ${id} passes=true notes='"done"'; commit ${id}`;
    const stories = [story("A", sentBack), story("B", { priority: 2 })];
    const project = openList({ stories, acts: [pass("A"), pass("B")] });
    const ended = await project.prdRun(["--skip-review"]);
    expect(ended).toMatchObject({ code: 0 });
    expect(project.prompts()[0]).toContain("You implement A");
    expect(project.prompts()[0]).toContain("Reviews are skipped.");
    expect(project.stories()).toMatchObject([{ passes: true }, { passes: true, reviewStatus: null, reviewCount: 0 }]);
  });
});
