import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures", "tasks");
const needed = ["--outcome", "People sign in", "--acceptance", "A wrong password is refused"];

/** A project with the tasks of the JWT example. */
async function openJwt(): Promise<ScratchProject> {
  const project = openProject();
  copyFileSync(join(fixtures, "jwt.yaml"), join(project.directory, "jwt.yaml"));
  const imported = await project.run(["task", "import", "jwt.yaml"]);
  expect(imported).toMatchObject({ code: 0, stdout: "Added: auth-001, auth-002\n", stderr: "" });
  return project;
}

async function idsOf(project: ScratchProject): Promise<unknown[]> {
  const { tasks } = await project.json(["task", "list"]);
  return (tasks as { id: unknown }[]).map(({ id }) => id);
}

/** A command that must be refused with these words. */
async function refuse(project: ScratchProject, words: string[], sentence: string): Promise<void> {
  const { code, stdout, stderr } = await project.run(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(sentence);
}

/** Writes how far a task is, as work on it does. */
async function standing(project: ScratchProject, id: string, status: "running" | "done"): Promise<void> {
  const store = await openSqliteStore({ folder: join(project.root, "state") });
  const task = await store.getTask(project.directory, id);
  if (task === null) throw new Error(`there is no task ${id}`);
  const progress = { role: "reviewer" as const, round: 2, reasons: [], runId: "run-1", note: "Tests failed." };
  const update = { expected: task.updatedAt, at: 1, standing: { status, iteration: 3, progress } };
  expect(await store.updateTask(project.directory, id, update)).not.toBeNull();
  await store.close();
}

describe("ralph task create", () => {
  it("stores a task with the criteria of its flags, wherever they stand (S2-49, S2-06)", async () => {
    const project = openProject();
    const flags = ["--coder-promise", "CODED", "--coder-verify", "external", "--coder-verify-cmd", "npm test"];
    const words = [...needed, "--acceptance", "A right one is accepted", ...flags, "auth-1", "login", "Sign in"];
    const { code, stdout } = await project.run(["task", "create", ...words]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Task auth-1 is stored. Look at it: ralph task show auth-1\n",
    });
    expect(await project.json(["task", "show", "auth-1"])).toMatchObject({
      spec: "login",
      title: "Sign in",
      version: 1,
      iteration: 0,
      completion: {
        outcome: "People sign in",
        acceptance_criteria: ["A wrong password is refused", "A right one is accepted"],
        coder: { promise: "CODED", verification_method: "external", verification_config: { command: "npm test" } },
      },
    });
  });

  it.each<[string, string[], string]>([
    ["an outcome", ["--acceptance", "x"], "needs an outcome"],
    ["an acceptance criterion", ["--outcome", "x"], "needs an acceptance criterion"],
    ["a criterion that says something", ["--outcome", "x", "--acceptance", " "], "completion.acceptance_criteria[0]"],
    [
      "the command of an external check",
      [...needed, "--qa-verify", "external"],
      "--qa-verify external needs a command",
    ],
    ["a known task before it", [...needed, "--depends-on", "auth-0"], "names the unknown task auth-0"],
    ["a priority that is a number", [...needed, "--priority", "high"], "priority: must be a whole number"],
  ])("refuses a task without %s and stores nothing (S2-50, S2-52)", async (_what, flags, sentence) => {
    const project = openProject();
    await refuse(project, ["task", "create", "auth-1", "login", "Sign in", ...flags], sentence);
    expect(await idsOf(project)).toEqual([]);
  });

  it("takes a follow-up task with criteria of its own, and an id only once (S2-52)", async () => {
    const project = await openJwt();
    const words = ["task", "create", "auth-003", "login", "Sign out", ...needed, "--depends-on", "auth-001"];
    expect(await project.json(words)).toMatchObject({ id: "auth-003", waitsFor: ["auth-001"] });
    await refuse(project, words, "There is already a task auth-003.");
  });
});

describe("ralph task import", () => {
  it("stores everything or nothing, and names file, task, path and remedy (S2-50, S2-51)", async () => {
    const project = openProject();
    project.write("good.yaml", "id: good\ntitle: Good\n");
    project.write("bad.yaml", "tasks:\n  - id: bad\n    title: Bad\n    completion: {outcome: x}\n");
    const sentence =
      "bad.yaml: task bad: completion.acceptance_criteria: needs at least one criterion\nNothing was stored.";
    await refuse(project, ["task", "import", "good.yaml", "bad.yaml"], sentence);
    expect(await idsOf(project)).toEqual([]);
  });

  it("names a cycle over two files (S2-51)", async () => {
    const project = openProject();
    project.write("one.yaml", "id: a\ntitle: A\ndependencies: [b]\n");
    project.write("two.json", '{"id": "b", "title": "B", "dependencies": ["a"]}');
    await refuse(project, ["task", "import", "one.yaml", "two.json"], "a -> b -> a");
    expect(await idsOf(project)).toEqual([]);
  });

  it("warns of a task without completion criteria and shows the defaults it gets (S2-57, CW-2E)", async () => {
    const project = openProject();
    const { code, stderr } = await project.run(["task", "import", "-"], { stdin: "id: bare\ntitle: Bare\n" });
    expect(code).toBe(0);
    expect(stderr).toContain("standard input: task bare has no completion; default criteria will be used");
    const shown = await project.run(["task", "show", "bare"]);
    expect(shown.stdout).toContain("<promise>IMPLEMENTATION_COMPLETE</promise>, at most 15 iterations, by default");
    expect((await project.run(["task", "list"])).stdout).toContain("Bare (no completion criteria)");
  });

  it("checks without storing, and replaces only when told to", async () => {
    const project = openProject();
    project.write("a.yaml", "id: a\ntitle: A\n");
    expect((await project.run(["task", "import", "--dry-run", "a.yaml"])).stdout).toBe("Would add: a\n");
    expect(await idsOf(project)).toEqual([]);
    expect(await project.json(["task", "import", "a.yaml"])).toMatchObject({ isStored: true, added: ["a"] });
    project.write("a.yaml", "id: a\ntitle: New\n");
    await refuse(project, ["task", "import", "a.yaml"], "Import with --replace");
    expect((await project.run(["task", "import", "--replace", "a.yaml"])).stdout).toBe("New version of: a\n");
    expect(await project.json(["task", "show", "a"])).toMatchObject({ title: "New", version: 2 });
  });

  it.each(["yaml", "json"])("takes back what show gives as %s (S2-51)", async (format) => {
    const project = await openJwt();
    const exported = await project.run(["task", "show", "--format", format]);
    project.write(`again.${format}`, exported.stdout);
    const place = ["-C", join(project.root, "home")];
    expect((await project.run(["task", "import", `again.${format}`, ...place])).code).toBe(0);
    expect((await project.run(["task", "show", "--format", format, ...place])).stdout).toBe(exported.stdout);
    const again = await project.run(["task", "import", `again.${format}`]);
    expect(again.stdout).toBe("Already there, unchanged: auth-001, auth-002\n");
  });
});

describe("ralph task list and show", () => {
  it("show status, role, iterations, priority, what is waited for and the criteria (S2-53, S2-55)", async () => {
    const project = await openJwt();
    expect((await project.run(["task", "list"])).stdout.split("\n")).toEqual([
      "TASK      STATUS   ROLE  ITERATIONS  PRIORITY  WAITS FOR  TITLE",
      "auth-001  ready    -     0/40        1         -          Issue and verify JWT access tokens",
      "  coder     external     max 20  npm test",
      "  reviewer  semantic     max 5   a judge",
      "  tester    external     max 10  npm test -- --coverage",
      "  qa        multi_stage  max 5   npm test; npm audit --omit=dev; a judge",
      "auth-002  waiting  -     0/35        3         auth-001   Rotate refresh tokens",
      "  coder     external     max 15  npm test",
      "  reviewer  semantic     max 5   a judge",
      "  tester    semantic     max 10  a judge",
      "  qa        semantic     max 5   a judge",
      "",
    ]);
    await standing(project, "auth-001", "running");
    expect((await project.run(["task", "list"])).stdout).toMatch(/auth-001 {2}running {2}reviewer {2}3\/40/);
    const { stdout } = await project.run(["task", "show", "auth-001"]);
    expect(stdout).toContain("Status: running (reviewer, round 2, run run-1): Tests failed.");
    expect(stdout).toContain("Iterations: 3/40");
    expect(stdout).toContain("  - Tokens expire 15 minutes after they were issued");
    expect(stdout).toContain("      audit (optional)\n        external: npm audit --omit=dev");
    await standing(project, "auth-001", "done");
    expect(await project.json(["task", "show", "auth-002"])).toMatchObject({ status: "ready", waitsFor: [] });
  });

  it("show what would hold now: the method, the limit and the command of each role (S2-09, S2-44, S2-55)", async () => {
    const project = await openJwt();
    project.settings({
      verifyCommand: "make check",
      work: { roles: ["coder", "tester"] },
      ralph: { default_verification: "external", coder: { enabled: false }, tester: { max_iterations: 4 } },
    });
    expect((await project.run(["task", "list"])).stdout.split("\n").slice(4, 7)).toEqual([
      "auth-002  waiting  -     0/5         3         auth-001   Rotate refresh tokens",
      "  coder   external  max 1  npm test",
      "  tester  external  max 4  make check",
    ]);
    const { stdout } = await project.run(["task", "show", "auth-002"]);
    expect(stdout).toContain("coder: <promise>REFRESH_IMPLEMENTED</promise>, at most 1 iteration, not repeated\n");
    expect(stdout).toContain("tester: <promise>TESTS_PASSED</promise>, at most 4 iterations, by default\n");
    expect(stdout).toContain("at most 5 iterations, by default, not among work.roles\n");
    expect(await project.json(["task", "show", "auth-002"])).toMatchObject({
      maxIterations: 5,
      roles: [
        { role: "coder", method: "external", maxIterations: 1, commands: ["npm test"], isOwn: true, isLooped: false },
        { role: "reviewer", isAsked: false },
        { role: "tester", method: "external", maxIterations: 4, commands: ["make check"], isOwn: false },
        { role: "qa", isAsked: false },
      ],
    });
  });

  it("show tasks although the settings are wrong, and say so", async () => {
    const project = await openJwt();
    project.settings({ ralph: { enabled: "no" } });
    const { code, stdout, stderr } = await project.run(["task", "list"]);
    expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 12 });
    expect(stderr).toContain(
      'ralph.enabled: expected true or false, found "no".); methods and limits are the defaults.',
    );
  });

  it("offer the nearest name, and say how to begin when there is none", async () => {
    const project = openProject();
    expect((await project.run(["task", "list"])).stdout).toContain("Add some: ralph task import FILE");
    await refuse(project, ["task", "show"], "There are no tasks in");
    await project.run(["task", "create", "auth-1", "login", "Sign in", ...needed]);
    await refuse(project, ["task", "show", "auth-2"], "Did you mean auth-1?");
    await refuse(project, ["task", "show", "--format", "xml"], "--format takes yaml or json");
  });
});

describe("ralph task edit", () => {
  it("makes a new version for the next run, and says that a run at work keeps its own (S2-06)", async () => {
    const project = await openJwt();
    await standing(project, "auth-001", "running");
    const edited = await project.run(["task", "edit", "auth-001", "--priority", "2", "--title", "JWT"]);
    expect(edited.stdout).toBe("Task auth-001 has version 2 now. The active run keeps version 1.\n");
    expect(await project.json(["task", "show", "auth-001"])).toMatchObject({
      title: "JWT",
      priority: 2,
      version: 2,
      status: "running",
      iteration: 3,
    });
  });

  it("makes a finished task ready again when its work is another", async () => {
    const project = await openJwt();
    await standing(project, "auth-001", "done");
    const words = ["task", "edit", "auth-001", "--outcome", "Users sign in with a passkey."];
    expect((await project.run(words)).stdout).toContain("It was done and is ready again.");
  });

  it.each<[string[], string]>([
    [[], "There is nothing to change, and no terminal for an editor."],
    [["--depends-on", "auth-002"], "auth-001 -> auth-002 -> auth-001"],
    [["--title", " "], "title: must not be empty"],
  ])("refuses %j and leaves the task as it was (S2-50)", async (flags, sentence) => {
    const project = await openJwt();
    await refuse(project, ["task", "edit", "auth-001", ...flags], sentence);
    expect(await project.json(["task", "show", "auth-001"])).toMatchObject({ version: 1 });
  });
});

describe("ralph task remove", () => {
  it("refuses a task that is worked on or needed, unless forced", async () => {
    const project = await openJwt();
    await refuse(project, ["task", "remove", "auth-001"], "is needed by auth-002");
    await standing(project, "auth-002", "running");
    await refuse(project, ["task", "remove", "auth-002"], "is being worked on");
    expect(await idsOf(project)).toEqual(["auth-001", "auth-002"]);
    expect((await project.run(["task", "remove", "auth-001", "--force"])).stdout).toBe("Removed: auth-001\n");
    expect(await project.json(["task", "remove", "auth-002", "--force"])).toEqual({ removed: "auth-002" });
    expect(await idsOf(project)).toEqual([]);
  });
});
