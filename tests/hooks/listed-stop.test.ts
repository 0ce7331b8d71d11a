import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentMark } from "../../src/shell/prd/content-mark.ts";
import { createSharedFiles } from "../../src/shell/lib/shared-files.ts";
import { type Answered, type HookCall, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  mkdirSync(join(world.project, "ralph"));
  for (const name of ["prd.md", "progress.txt", "prompt.md"])
    writeFileSync(join(world.project, "ralph", name), `${name}\n`);
  writeFileSync(join(world.project, ".gitignore"), ".ralph-active\n");
  writeTasks({});
  world.git("init", "-q");
  commit();
});
afterEach(() => world.remove());

function commit(): void {
  world.git("add", "-A");
  world.git("commit", "-q", "--allow-empty", "-m", "work");
}

const born = { passes: false, reviewStatus: null, reviewCount: 0 };

function story(change: Record<string, unknown>): Record<string, unknown> {
  const text = { id: "US-001", title: "A", description: "d", acceptanceCriteria: ["it works"], notes: "" };
  return { ...text, priority: 1, dependsOn: [], ...born, reviewFeedback: "", ...change };
}

/** Writes the task list: one story with this change, and further ones. */
function writeTasks(change: Record<string, unknown>, ...more: Record<string, unknown>[]): void {
  const list = { project: "p", branchName: "b", description: "d", userStories: [story(change), ...more.map(story)] };
  writeFileSync(join(world.project, "ralph", "tasks.json"), JSON.stringify(list));
}

/** A turn of the run is at work, with the list as it was before it. */
function begin(role: string, active: Record<string, unknown> = {}, before: Record<string, unknown> = born): void {
  const turnMarker = {
    pid: 1,
    mode: "direct",
    skipReview: false,
    reviewCap: 5,
    iterationMode: role,
    preIterationSnapshot: { "US-001": { ...born, ...before } },
    run: "r1",
    dirtyAtStart: {},
  };
  writeFileSync(join(world.project, ".ralph-active"), JSON.stringify({ ...turnMarker, ...active }));
}

/** How these paths stand now, as a run writes it down before a turn. */
function marks(...paths: string[]): Record<string, string> {
  const files = createSharedFiles();
  return Object.fromEntries(paths.map((path) => [path, contentMark(files, join(world.project, path))]));
}

const ofRun: HookCall = { env: { RALPH_RUN_ID: "r1" }, words: ["--for", "run"] };

function stops(call: HookCall = ofRun): Answered {
  return world.run("stop", "Stop-first", call);
}

/** What the list became in a turn of a role, and what the stop hook says of it; null: the stop is allowed. */
function check(
  role: string,
  { before = {}, after, more = [] }: { before?: object; after: Record<string, unknown>; more?: object[] },
  expected: string | null,
): void {
  begin(role, {}, { ...born, ...before });
  writeTasks(after, ...more.map((each) => ({ ...each })));
  commit();
  const { exitCode, stderr } = stops();
  expect({ exitCode, isSaid: expected === null ? stderr === "" : stderr.includes(expected), stderr }).toEqual({
    exitCode: expected === null ? 0 : 2,
    isSaid: true,
    stderr,
  });
}

const approved = { passes: true, reviewStatus: "approved", reviewCount: 1, notes: "done" };
const waiting = { reviewStatus: "needs_review" };
const refused = { reviewStatus: "changes_requested", reviewCount: 1, reviewFeedback: "fix it" };

describe("the stop hook of a run on a task list", () => {
  it("allows every stop without .ralph-active (S4-39)", () => {
    writeTasks({ passes: true });
    expect(stops()).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("allows a legal turn whose work is committed, by all four checks (S4-40, S4-52, CW-4M)", () => {
    check("implement", { after: waiting }, null);
  });

  it.each([
    ["{ torn", "not valid"],
    ['{"project": "p"}', "branchName"],
    [null, "does not exist"],
  ])("blocks when the list is %s (S4-41, S4-45)", (text, expected) => {
    begin("implement");
    const path = join(world.project, "ralph", "tasks.json");
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    expect(stops()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(expected) as string });
  });

  it.each([
    [{ title: 1 }, "title"],
    [{ passes: "yes" }, "passes"],
    [{ priority: "1" }, "priority"],
    [{ acceptanceCriteria: [] }, "acceptanceCriteria"],
    [{ reviewStatus: "maybe" }, "reviewStatus"],
    [{ reviewCount: -1 }, "reviewCount"],
    [{ reviewFeedback: null }, "reviewFeedback"],
  ])("blocks a story with %j and names field and story (S4-42, S4-45, S4-49)", (change, field) => {
    check("implement", { after: change }, field);
  });

  it("blocks equal ids (S4-43)", () => {
    check("implement", { after: {}, more: [{}] }, "US-001");
  });

  it("blocks a passing story without notes (S4-44)", () => {
    check("review", { before: waiting, after: { ...approved, notes: "" } }, "notes is empty");
  });

  it.each([null, "needs_review", "changes_requested"])(
    "blocks passes with reviewStatus %s in the prescribed words (S4-46)",
    (reviewStatus) => {
      const text = `Story US-001 has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`;
      check("implement", { after: { passes: true, notes: "n", reviewStatus, reviewFeedback: "f" } }, text);
    },
  );

  it("blocks what is out of sync, and refusals without feedback (S4-47, S4-48)", () => {
    check("review", { before: waiting, after: { ...approved, passes: false } }, "out of sync");
    check("review", { before: waiting, after: { ...refused, reviewFeedback: "" } }, "feedback is required");
    check("review", { before: waiting, after: { ...waiting, reviewCount: 9 } }, "reviewCount 9");
  });

  it("allows the verdicts of a review, and a fix (S4-50, S4-55, S4-58)", () => {
    check("review", { before: waiting, after: approved }, null);
    check("review", { before: waiting, after: refused }, null);
    check("review-fix", { before: refused, after: { ...waiting, reviewCount: 1 } }, null);
  });

  it("blocks an implementer that approves, in the prescribed words (S4-51, S4-53, S4-54)", () => {
    check(
      "implement",
      { after: { ...approved, reviewCount: 0 } },
      "Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story US-001 had illegal transition: passes false → true.",
    );
    check("implement", { after: waiting, more: [{ id: "US-002", ...approved }] }, "US-002");
  });

  it("blocks a review that is none, in the prescribed words (S4-56, S4-57)", () => {
    check(
      "review",
      { before: waiting, after: { ...approved, reviewCount: 0 } },
      "Review iteration made illegal transition on story US-001",
    );
  });

  it("blocks a fix that approves, in the prescribed words (S4-59, S4-60)", () => {
    check(
      "review-fix",
      { before: refused, after: approved },
      "Review-fix iterations cannot approve stories. Story US-001",
    );
  });

  it("blocks a review without a verdict once", () => {
    begin("review", {}, { ...born, ...waiting });
    writeTasks(waiting);
    commit();
    expect(stops().stderr).toContain("no story was reviewed");
    expect(stops().exitCode).toBe(0);
  });

  it("skips checks 2 and 2.5 with skipped reviews (S4-51)", () => {
    begin("implement", { skipReview: true });
    writeTasks({ passes: true, notes: "n" });
    commit();
    expect(stops().exitCode).toBe(0);
  });

  it("skips check 2.5 with a warning when nobody knows the list before, and still enforces check 2 (S4-61)", () => {
    begin("implement", { preIterationSnapshot: undefined });
    writeTasks({ ...approved, reviewCount: 0 });
    commit();
    const answered = stops();
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toContain("check 2.5");
    writeTasks({ passes: true, notes: "n" });
    expect(stops().stderr).toContain("Only review iterations may approve stories");
  });

  it("reads the list where the run says it is (S4-12, S4-39)", () => {
    world.git("mv", "ralph", "plans");
    commit();
    begin("implement", { ralphDir: "plans" });
    expect(stops()).toMatchObject({ exitCode: 0, stderr: "" });
    writeFileSync(join(world.project, "plans", "tasks.json"), "{ torn");
    expect(stops().stderr).toContain("plans/tasks.json is not valid");
    world.git("checkout", "plans");
    writeFileSync(join(world.project, "new.ts"), "x");
    expect(stops().stderr).toContain("1. Update `plans/progress.txt`");
  });

  it.each(["../outside", "/etc", "linked", "linked/list", "torn/../../outside"])(
    "reads no list outside the project, whatever .ralph-active says: %s (CW-4R)",
    (ralphDir) => {
      const outside = join(world.root, "outside");
      mkdirSync(join(outside, "list"), { recursive: true });
      for (const folder of [outside, join(outside, "list")]) writeFileSync(join(folder, "tasks.json"), "{}");
      symlinkSync(outside, join(world.project, "linked"));
      commit();
      begin("implement", { ralphDir });
      expect(stops()).toMatchObject({ exitCode: 0, stderr: "" });
      rmSync(join(world.project, "ralph", "tasks.json"));
      expect(stops().stderr).toContain("ralph/tasks.json does not exist");
    },
  );

  it("reads no list through a link (CW-4R)", () => {
    begin("implement");
    const path = join(world.project, "ralph", "tasks.json");
    renameSync(path, join(world.root, "tasks.json"));
    symlinkSync(join(world.root, "tasks.json"), path);
    expect(stops().stderr).toContain("ralph/tasks.json is a symbolic link, not a regular file");
  });

  it("blocks uncommitted work with the three steps, and names it (S4-62, S4-96)", () => {
    begin("implement");
    writeFileSync(join(world.project, "new file.ts"), "x");
    const { exitCode, stderr } = stops();
    expect(exitCode).toBe(2);
    expect(stderr).toContain("- new file.ts");
    expect(stderr).toContain("1. Update `ralph/progress.txt`");
    expect(stderr).toContain("CLAUDE.md or `.claude/rules/`");
    expect(stderr).toContain("3. Commit ALL changes, including progress.txt and tasks.json.");
  });

  it("does not mind what was uncommitted before the turn, nor ignored files (CW-4Q, R-106)", () => {
    writeFileSync(join(world.project, "mine.txt"), "x");
    begin("implement", { dirtyAtStart: marks("mine.txt") });
    expect(stops().exitCode).toBe(0);
    begin("implement", { dirtyAtStart: undefined });
    expect(stops().stderr).toContain("- mine.txt");
  });

  it.each<[string, (path: string) => void]>([
    ["changed further", (path) => writeFileSync(path, "y")],
    ["deleted", (path) => rmSync(path)],
    ["replaced by a link", (path) => (rmSync(path), symlinkSync("/etc/hostname", path))],
  ])("blocks what was uncommitted before the turn and was %s in it (CW-4Q, R-106)", (_, change) => {
    writeFileSync(join(world.project, "mine.txt"), "committed");
    commit();
    writeFileSync(join(world.project, "mine.txt"), "x");
    begin("implement", { dirtyAtStart: marks("mine.txt") });
    expect(stops().exitCode).toBe(0);
    change(join(world.project, "mine.txt"));
    expect(stops().stderr).toContain("- mine.txt");
  });

  it("blocks files of the list that are not committed, whoever left them so (CW-4Q, S4-62)", () => {
    writeFileSync(join(world.project, "ralph", "progress.txt"), "more");
    begin("implement", { dirtyAtStart: marks("ralph/progress.txt") });
    expect(stops().stderr).toContain("- ralph/progress.txt");
  });

  it("blocks them in .ralph, too, and nothing else there (CW-4Q)", () => {
    world.git("mv", "ralph", ".ralph");
    commit();
    begin("implement", { ralphDir: ".ralph" });
    writeFileSync(join(world.project, ".ralph", "prd_001_implement.log"), "output");
    expect(stops().exitCode).toBe(0);
    writeFileSync(join(world.project, ".ralph", "progress.txt"), "more");
    expect(stops().stderr).toContain("- .ralph/progress.txt");
  });

  it("skips check 3 with a notice where there is no git (CW-4Q)", () => {
    rmSync(join(world.project, ".git"), { recursive: true });
    begin("implement");
    const answered = stops();
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toContain("not a git repository");
  });

  it("allows the stop after five equal reasons, and begins anew with another one (CW-4R)", () => {
    begin("implement");
    writeFileSync(join(world.project, "a"), "x");
    for (let time = 0; time < 4; time += 1) expect(stops().exitCode).toBe(2);
    writeFileSync(join(world.project, "b"), "x");
    for (let time = 0; time < 5; time += 1) expect(stops().exitCode).toBe(2);
    const answered = stops();
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toContain("after 5 equal reasons");
  });

  it.each([
    ["of another run", { ...ofRun, env: { RALPH_RUN_ID: "r2" } }],
    ["of no run", {}],
    ["of a plugin inside the run, which stands back", { env: { RALPH_RUN_ID: "r1" } }],
  ])("never blocks a session %s (CW-4R)", (_, order) => {
    begin("implement");
    writeFileSync(join(world.project, "a"), "x");
    expect(stops(order).exitCode).toBe(0);
  });

  it("blocks a session of anybody when the marker names no run (S4-39)", () => {
    begin("implement", { run: undefined });
    writeFileSync(join(world.project, "a"), "x");
    expect(stops({}).exitCode).toBe(2);
  });

  it("counts in the temp folder where the state folder cannot be written (S4-95)", () => {
    writeFileSync(world.state, "a file");
    begin("review", {}, { ...born, ...waiting });
    writeTasks(waiting);
    commit();
    expect(stops().exitCode).toBe(2);
    expect(stops().exitCode).toBe(0);
  });
});
