import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject, until } from "../run/scratch-project.ts";
import { approved, story, submitted, taskFileText } from "./sample-task-file.ts";

const list = taskFileText([story("US-001", approved), story("US-002", submitted), story("US-003")]);

async function begun(options: { isGit?: boolean } = {}): Promise<ScratchProject> {
  const project = openProject(options);
  const { code, stderr } = await project.run(["prd", "init", "--name", "My shop"]);
  expect(`${code} ${stderr}`).toMatch(/^0 Next:/);
  return project;
}

/** Exit code and first line of what is said. */
async function said(project: ScratchProject, ...words: string[]): Promise<string> {
  const { code, stderr } = await project.run(["prd", ...words]);
  return `${code} ${stderr.split("\n")[0] ?? ""}`;
}

describe("ralph prd init", () => {
  it("says to commit the files (CW-4Q)", async () => {
    const { stderr } = await openProject().run(["prd", "init", "--ralph-dir", "plans"]);
    expect(stderr).toContain('Commit the files: git add plans .gitignore && git commit -m "task list"');
  });

  it("makes the four files with name, date and branch, and says what is next (S4-04, S4-80, S4-81, S4-82, S4-84)", async () => {
    const project = await begun();
    expect(JSON.parse(project.read("ralph/tasks.json"))).toEqual({
      project: "",
      branchName: "ralph/My-shop",
      description: "",
      verifyCommands: [],
      userStories: [story("US-001", { title: "", acceptanceCriteria: [] })],
    });
    expect(project.read("ralph/progress.txt")).toMatch(
      /^# Ralph Progress Log\n\nStarted: \d{4}-\d\d-\d\d\nPRD: My shop\n\n## Codebase Patterns\n\n- \(Reusable patterns discovered during this loop\)\n\n---\n$/,
    );
    const prd = project.read("ralph/prd.md");
    expect(prd.match(/^##+ .*$/gm)).toEqual([
      "## 1. Summary",
      "## 2. Problem Statement",
      "## 3. Goals",
      "## 4. Non-Goals",
      "## 5. Background & Context",
      "## 6. Technical Design",
      "### 6a. Database Changes",
      "### 6b. API Contracts",
      "### 6c. Core Logic Changes",
      "### 6d. Frontend Changes",
      "### 6e. Infrastructure / Config Changes",
      "## 7. Constraints",
      "## 8. Edge Cases & Error Handling",
      "## 9. Risks & Mitigations",
      "## 10. Open Questions",
    ]);
    expect(prd).toContain("# PRD: My shop\n");
    expect(project.read("ralph/prompt.md")).toContain("iteration {{ITERATION}} of {{MAX_ITERATIONS}}");
  });

  it("is refused the second time, and with --force keeps what was there; .gitignore gets its lines once (S4-84, R-109)", async () => {
    const project = await begun();
    project.write("ralph/prd.md", "mine\n");
    expect(await said(project, "init")).toMatch(/^2 .*ralph\/prd.md, ralph\/tasks.json.* already exist/);
    expect(project.read("ralph/prd.md")).toBe("mine\n");
    expect(await said(project, "init", "--force")).toBe(
      "0 Kept what was there: ralph/prd.md.old, ralph/tasks.json.old, ralph/progress.txt.old",
    );
    expect(project.read("ralph/prd.md.old")).toBe("mine\n");
    expect(project.read(".gitignore").match(/^\.ralph-active$/gm)).toHaveLength(1);
  });

  it("counts a story as done only when it is approved, unless reviews are skipped (S4-15)", async () => {
    const project = openProject({ isGit: true });
    await said(project, "init");
    const unreviewed = story("US-001", { ...approved, reviewStatus: "needs_review" });
    project.write("ralph/tasks.json", taskFileText([unreviewed]));
    expect((await project.run(["prd", "status"])).stdout).toContain("0 of 1 stories done");
    expect((await project.run(["prd", "status", "--skip-review"])).stdout).toContain("1 of 1 stories done");
  });

  it("finds the files in .ralph/ where they are, and lets git see them (CB-03)", async () => {
    const project = openProject({ isGit: true });
    expect(await said(project, "init", "--ralph-dir", ".ralph")).toBe("0 Next:");
    project.write(".ralph/tasks.json", list);
    const { code, stdout } = await project.run(["prd", "status"]);
    expect(`${code} ${stdout}`).toContain("0 shop (ralph/shop): 1 of 3 stories done");
    const seen = project.git("status", "--porcelain", "--untracked-files=all", "--", ".ralph");
    for (const name of ["prd.md", "tasks.json", "progress.txt", "prompt.md"])
      expect(seen).toContain(`.ralph/${name}\n`);
    expect(await said(project, "init")).toMatch(/^2 .*\.ralph\/prd.md/);
  });

  it.each([
    [["init", "--name", "…"], "has no letter or digit for a branch"],
    [["init", "--ralph-dir", "../elsewhere"], "is not in"],
    [["status"], "There is no task list in ralph/."],
    [["plan"], "There is no task list in ralph/."],
    [["archive"], "There is no task list in ralph/."],
  ])("a mistake is exit code 2 and makes nothing: %j (S4-22, S4-86)", async (words, sentence) => {
    const project = openProject();
    expect(await said(project, ...words)).toMatch(/^2 ralph: /);
    expect(await said(project, ...words)).toContain(sentence);
    expect(readdirSync(project.root)).not.toContain("elsewhere");
    expect(project.has("ralph")).toBe(false);
  });
});

describe("ralph prd status", () => {
  it("shows the stories, the next turn and the estimate (S4-13, S4-92)", async () => {
    const project = await begun();
    project.write("ralph/tasks.json", list);
    const { code, stdout } = await project.run(["prd", "status"]);
    expect(`${code}\n${stdout}`).toBe(
      [
        "0",
        "shop (ralph/shop): 1 of 3 stories done",
        "  US-001  approved (1 review)  Title of US-001",
        "  US-002  needs review         Title of US-002",
        "  US-003  open                 Title of US-003",
        "Next: review US-002",
        "Estimate: 2 stories, ~5 iterations (at least 3, at most 19)",
        "Reviews: 1. Most stories passed their first review: the reviews cost little.",
        "",
      ].join("\n"),
    );
    expect(await project.json(["prd", "status"])).toMatchObject({
      next: { kind: "turn", role: "review", taskId: "US-002" },
      estimate: { openTasks: 2 },
      problems: [],
      active: null,
    });
    const skipped = await project.run(["prd", "status", "--skip-review"]);
    expect(skipped.stdout).toContain("Next: implement US-002\nEstimate: 2 stories x ~1 iterations each = ~2");
  });

  it("names what is wrong, and one missing file (S4-22, S4-45, R-104)", async () => {
    const project = await begun();
    expect(await said(project, "status")).toBe("2 ralph: ralph/tasks.json is still the template.");
    project.write("ralph/tasks.json", taskFileText([story("A", { passes: "yes" })]));
    expect((await project.run(["prd", "status"])).stderr).toContain(
      'Story A: passes must be true or false, found "yes"',
    );
    project.write(
      "ralph/tasks.json",
      taskFileText([
        story("A", { passes: true, notes: "x", title: "\u001B[2Jgone" }),
        story("B", { dependsOn: ["C"] }),
      ]),
    );
    const { stdout } = await project.run(["prd", "status"]);
    expect(stdout).toContain("Problem: Story A has passes=true but reviewStatus is 'null'");
    expect(stdout).toContain("Next: No story can be begun. Story B depends on C, which does not exist.");
    expect(stdout).not.toContain("\u001B");
    const other = await begun();
    rmSync(join(other.directory, "ralph/prompt.md"));
    expect(await said(other, "status")).toBe("2 ralph: ralph/prompt.md is missing.");
  });
});

describe("ralph prd plan", () => {
  const answer = (text: string) => `turns: [[claim]]\nanswer: |\n${text.replaceAll(/^/gm, "  ")}\n`;

  it("derives the list of a finished PRD, which stays as it is (S4-86)", async () => {
    const project = await begun();
    project.write("ralph/prd.md", "# PRD\n\nA shop.\n");
    const fresh = taskFileText([story("US-001"), story("US-002", { dependsOn: ["US-001"] })]);
    project.sim(answer(`Here it is:\n\n${fresh}`));
    const { code, stdout } = await project.run(["prd", "plan"]);
    expect(`${code} ${stdout}`).toBe("0 US-001  Title of US-001\nUS-002  Title of US-002 (after US-001)\n");
    expect(project.read("ralph/tasks.json")).toBe(`${fresh}\n`);
    expect(project.read("ralph/prd.md")).toBe("# PRD\n\nA shop.\n");
    expect(await said(project, "plan")).toBe("2 ralph: ralph/tasks.json holds a list already.");
    expect((await project.run(["prd", "plan", "--force"])).code).toBe(0);
    expect(project.read("ralph/tasks.json.old")).toBe(`${fresh}\n`);
  });

  it("asks once more with the problems named, and writes nothing that is not valid (S4-86, S4-87)", async () => {
    const project = await begun();
    project.write("ralph/prd.md", "A shop.\n");
    const before = project.read("ralph/tasks.json");
    project.plainAgent(`echo broken > ralph/tasks.json; echo rewritten > ralph/prd.md; echo "I will not."`);
    const { code, stderr } = await project.run(["prd", "plan", "--derive"]);
    expect(`${code} ${stderr}`).toContain(
      "2 Deriving the stories …\nDeriving the stories …\nralph: The agent gave no task list",
    );
    expect(project.read("ralph/tasks.json")).toBe(before);
    expect(project.read("ralph/prd.md")).toBe("A shop.\n");
    const prompts = project.prompts();
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain("# The PRD\n\nA shop.");
    expect(prompts[1]).toMatch(/could not be used\n\n- tasks.json is not JSON/);
  });

  it("has nothing to derive from a template (S4-86)", async () => {
    const project = await begun();
    project.sim("turns: [[claim]]\n");
    expect(await said(project, "plan", "--derive")).toMatch(/^2 ralph: ralph\/prd.md is still the template/);
  });
});

describe("ralph prd archive", () => {
  const folders = (project: ScratchProject) => readdirSync(join(project.directory, "ralph-archive")).toSorted();

  it("puts the list away, begins afresh, keeps the prompt and commits only its own paths (S4-85, CW-4J)", async () => {
    const project = await begun({ isGit: true });
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "begin");
    project.write("ralph/tasks.json", list);
    project.write("ralph/prompt.md", "mine\n");
    project.write("staged.txt", "x");
    project.git("add", "staged.txt");
    const { code, stdout, stderr } = await project.run(["prd", "archive"]);
    expect(`${code} ${stderr}`).toContain("0 Committed.\n");
    const folder = stdout.trim();
    expect(folder).toMatch(/^ralph-archive\/\d{4}-\d\d-\d\d-shop$/);
    expect(readdirSync(join(project.directory, folder)).toSorted()).toEqual([
      "prd.md",
      "progress.txt",
      "prompt.md",
      "summary.md",
      "tasks.json",
    ]);
    expect(project.read(`${folder}/tasks.json`)).toBe(list);
    expect(project.read(`${folder}/summary.md`)).toContain("Stories completed: 1 of 3");
    expect(project.read("ralph/prompt.md")).toBe("mine\n");
    expect(project.read("ralph/tasks.json")).toContain('"ralph/feature-name"');
    const committed = project.git("show", "--name-only", "--format=%s", "HEAD").trim().split("\n");
    expect(committed[0]).toBe("chore: archive ralph loop shop");
    expect(committed).not.toContain("staged.txt");
    expect(committed).not.toContain("ralph/prompt.md");
    expect(project.git("status", "--porcelain")).toContain("A  staged.txt");
  });

  it("gives the second of a day its number, takes a label, and needs no git (CW-4J, R-109)", async () => {
    const project = await begun();
    for (const label of ["one", "one", "../two"]) {
      project.write("ralph/tasks.json", list);
      expect(await said(project, "archive", "--label", label)).toBe("0 Not committed: this is not a git repository.");
    }
    expect(folders(project).map((name) => name.slice(11))).toEqual(["one", "one-2", "two"]);
    expect(await said(project, "archive")).toMatch(/^2 .*there is nothing to archive/);
  });

  it("keeps a list that cannot be read (CW-4A)", async () => {
    const project = await begun();
    project.write("ralph/tasks.json", "{ half");
    const { stdout } = await project.run(["prd", "archive"]);
    expect(project.read(`${stdout.trim()}/tasks.json`)).toBe("{ half");
    expect(project.read(`${stdout.trim()}/summary.md`)).toContain("tasks.json is not JSON");
  });

  it("is refused while a loop is at work, not after it died (CW-4J, R-109)", async () => {
    const project = await begun();
    project.write("ralph/tasks.json", list);
    project.write(".ralph-active", JSON.stringify({ pid: process.pid }));
    expect(await said(project, "archive")).toMatch(
      /^2 ralph: A run is active in .* \(process \d+, named in .ralph-active\)/,
    );
    expect(await said(project, "init", "--force")).toMatch(/^2 ralph: A run is active/);
    expect(project.has("ralph-archive")).toBe(false);
    project.write(".ralph-active", JSON.stringify({ pid: 4_194_305 }));
    expect(await said(project, "archive")).toMatch(/^0/);
  });

  it("is refused while a run drives the project (CW-4J, R-109)", async () => {
    const project = await begun();
    project.write("ralph/tasks.json", list);
    project.plainAgent(`touch started; while [ ! -e stop ]; do sleep 0.05; done; echo "<promise>DONE</promise>"`);
    const run = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("started"), "the agent");
    expect(await said(project, "archive")).toMatch(/^2 ralph: A run is active in .* \(run /);
    project.write("stop", "");
    expect((await run.ended).code).toBe(0);
  });
});

describe("two work trees of one repository", () => {
  it("have lists of their own, and a loop in one does not hold the other (S4-91)", async () => {
    const project = await begun({ isGit: true });
    const other = join(project.root, "login");
    project.git("worktree", "add", "--quiet", other);
    expect(await said(project, "status", "--project-dir", other)).toBe("2 ralph: There is no task list in ralph/.");
    project.write(".ralph-active", JSON.stringify({ pid: process.pid }));
    expect(await said(project, "init", "--project-dir", other)).toBe("0 Next:");
    expect(await said(project, "archive")).toMatch(/^2 ralph: A run is active/);
  });
});
