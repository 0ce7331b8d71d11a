import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readState, writeState } from "../../src/shell/sessions/loop-state-files.ts";
import { openTask } from "../supervise/open-task.ts";
import { eventually, openProject, type ScratchProject } from "./scratch-project.ts";

const waiting = "touch begun\nuntil [ -e go ]; do sleep 0.05; done\nclaim";

/** Stores loops of sessions in the project, as a host does. */
function loops(project: ScratchProject, ...ids: string[]): (sessionId: string) => boolean {
  const options = { stateDir: join(project.root, "state", "sessions"), workdir: project.directory, log: () => {} };
  mkdirSync(options.stateDir, { recursive: true });
  const loop = { active: true, iteration: 2, maxIterations: 5, completionPromise: "DONE", prompt: "Fix it" };
  const startedAt = "2026-11-15T12:00:00.000Z";
  for (const sessionId of ids) writeState({ ...loop, sessionId, startedAt }, options);
  return (sessionId) => readState(sessionId, options) !== null;
}

/** The same, in a loop that began a day later. */
function writeLater(project: ScratchProject, sessionId: string): void {
  const options = { stateDir: join(project.root, "state", "sessions"), workdir: project.directory, log: () => {} };
  const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", prompt: "Fix more" };
  writeState({ ...loop, sessionId, startedAt: "2026-11-16T12:00:00.000Z" }, options);
}

describe("a loop inside a session", () => {
  it("is shown by its id and by the beginning of it (S0-43)", async () => {
    const project = openProject();
    loops(project, "aaa-111", "abb-222");
    expect(await project.json(["status", "aa"])).toMatchObject({ runs: [{ id: "aaa-111", kind: "session" }] });
    const shown = await project.run(["show", "abb-222"]);
    expect(shown.stdout).toMatch(/^abb-222 {2}in session {2}iteration 2\/5/);
    expect(shown.stdout).toContain("Task: Fix it");
    expect(shown.stdout).toContain("End it: ralph cancel abb-222");
    expect(await project.json(["show", "abb"])).toMatchObject({ id: "abb-222", prompt: "Fix it", iteration: 2 });
    const both = await project.run(["show", "a"]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("2 runs: aaa-111, abb-222")]);
  });

  it("is cancelled by its id, and no other one with it (S0-25, R-20)", async () => {
    const project = openProject();
    const has = loops(project, "s1", "s2");
    const { code, stdout } = await project.run(["cancel", "s1"]);
    expect([code, stdout]).toEqual([0, "The loop of session s1: cancelled at iteration 2 of 5.\n"]);
    expect([has("s1"), has("s2")]).toEqual([false, true]);
    expect((await project.run(["cancel", "s1"])).code).toBe(2);
  });

  it("is not resumed outside of its session, where it ended", async () => {
    const project = openProject();
    loops(project, "s1");
    await project.run(["cancel", "s1"]);
    const { code, stderr } = await project.run(["resume", "s1"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Run s1-\d+ .*session/)]);
    expect((await project.run(["resume"])).stderr).toContain("There is no unfinished run");
  });

  it("is not cancelled by an agent of that session: an agent cannot act on the loop of its own session", async () => {
    const project = openProject();
    const has = loops(project, "s1", "s2");
    const env = { CLAUDE_CODE_SESSION_ID: "s1" };
    // Of its own: the session is read from the environment that a process began with.
    const { code, stderr } = await project.start(["cancel", "s1"], { env }).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining("The loop of session s1 cannot be changed")]);
    expect((await project.start(["cancel", "s2"], { env }).ended).code).toBe(0);
    expect([has("s1"), has("s2")]).toEqual([true, false]);
  });
});

describe("a living session run", () => {
  it("has its journal in logs and its check in show --check, before any of it is imported", async () => {
    const project = openProject();
    loops(project, "s1");
    const log = await project.run(["logs", "s1"]);
    expect([log.code, log.stdout]).toEqual([0, expect.stringContaining("a program wrote this loop")]);
    expect((await project.run(["logs"])).stdout).toBe(log.stdout);
    expect((await project.run(["logs", "s1", "--raw"])).stderr).toContain("kept by its host alone");
    const check = await project.run(["show", "s1", "--check"]);
    expect([check.code, check.stdout]).toEqual([
      0,
      "The journal of session s1 is intact: 1 entry leads to its state.\n",
    ]);
    project.write(join("..", "state", "sessions", "library-s1", "journal.ndjson"), "{}\n");
    const broken = await project.run(["show", "s1", "--check", "--json"]);
    expect([broken.code, JSON.parse(broken.stdout)]).toMatchObject([1, { id: "s1", isIntact: false }]);
  });

  it("is followed by logs until it has ended", async () => {
    const project = openProject();
    loops(project, "s1");
    const following = project.start(["logs", "s1", "-f"]);
    await eventually(() => expect(following.stdout()).toContain("a program wrote this loop"));
    expect((await project.run(["cancel", "s1"])).code).toBe(0);
    const { code, stdout } = await following.ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/a program wrote this loop.*\n[^]* -> end-run\n$/)]);
  });

  it("is neither resumed nor paused from outside, and the refusal says so", async () => {
    const project = openProject();
    loops(project, "s1");
    const resumed = await project.run(["resume", "s1"]);
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("continues only in its session")]);
    const paused = await project.run(["pause", "s1"]);
    expect([paused.code, paused.stderr]).toEqual([2, expect.stringContaining("cannot be paused")]);
  });

  it("is meant by its session's id before ended runs of the session, of which the newest is, and the others are named", async () => {
    const project = openProject();
    loops(project, "s1");
    await project.run(["cancel", "s1"]);
    const first = (await project.json(["show", "s1"])) as { id: string };
    writeLater(project, "s1");
    const living = await project.run(["show", "s1", "--json"]);
    expect((await project.run(["status", "s1"])).stderr).toBe(living.stderr);
    expect(JSON.parse(living.stdout)).toMatchObject({ id: "s1", state: "running" });
    expect(living.stderr).toContain(`The session has 2 runs; this is the living one. The others: ${first.id}`);
    await project.run(["cancel", "s1"]);
    const ended = await project.run(["show", "s1", "--json"]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ state: "ended", outcome: "cancelled" });
    expect(ended.stderr).toMatch(new RegExp(`this is s1-\\d+, the newest\\. The others: ${first.id}`));
    expect((JSON.parse(ended.stdout) as { id: string }).id).not.toBe(first.id);
  });
});

describe("cancel without an id", () => {
  it("ends the only loop that lives here", async () => {
    const project = openProject();
    const has = loops(project, "s1");
    expect((await project.run(["cancel"])).code).toBe(0);
    expect(has("s1")).toBe(false);
  });

  it("never ends a run that has ended, and says how to (R-42)", async () => {
    const project = openProject();
    project.claude("true", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    const { code, stderr } = await project.run(["cancel"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/There is no active run in .*\n.*ended \(exhausted\).*ralph cancel \S+/s);
    expect(await project.json(["status"])).toMatchObject({ runs: [{ outcome: "exhausted" }] });
  });

  it("names each with its command when several live and nobody can be asked, and ends none (R-43)", async () => {
    const project = openProject();
    project.claude(waiting);
    const has = loops(project, "s1", "s2");
    const started = project.start(["run", "-p", "Do it"]);
    await eventually(() => expect(project.has("begun")).toBe(true));
    const { code, stderr } = await project.run(["cancel"]);
    expect(code).toBe(2);
    expect(stderr).toContain("3 runs are active here");
    expect(stderr).toMatch(/ralph cancel \d{8}-\d{6}-\w{4} {2}\(/);
    expect(stderr).toContain("ralph cancel s1  (in session, iteration 2/5)");
    expect([has("s1"), has("s2")]).toEqual([true, true]);
    project.write("go", "");
    expect((await started.ended).code).toBe(0);
  });

  it("knows supervised tasks of other directories beside its own runs, where they were started (S3-36)", async () => {
    const task = openTask();
    task.agent(
      '[ -n "$TASK_FOLDER" ] || { echo "<promise>DONE</promise>"; exit 0; }\necho busy\ntouch begun\nsleep 600',
    );
    expect((await task.project.run(["run", "-p", "x"])).code).toBe(0);
    const started = task.start();
    await eventually(() => expect(task.project.has("begun")).toBe(true));
    const { runs } = await task.project.json(["status"]);
    expect(runs).toMatchObject([{ kind: "supervise", state: "running", project: task.folder.path }, { kind: "run" }]);
    expect((await task.project.run(["status"])).stdout).toContain(task.folder.path);
    expect((await task.project.run(["bus", "discover"])).stdout).toBe(`${task.folder.busFile}\n`);
    expect((await task.project.run(["bus", "read"])).stdout).toContain("starting root agent (restart #0)");
    await eventually(async () => expect((await task.project.run(["logs"])).stdout).toContain("busy"));
    expect((await task.project.run(["cancel"])).stdout).toContain(": cancelled.");
    expect((await started.ended).code).toBe(5);
  });

  it("reads a bus of its own before that of a task, and that of a task before one further up (S3-36)", async () => {
    const task = openTask();
    task.agent("exit 42");
    await task.run();
    const above = join(task.project.directory, "..", "PROJECT-MESSAGE-BUS.md");
    await task.project.run(["bus", "post", "--project", "x", "--body", "y", "--bus", above]);
    const found = async (): Promise<string> => (await task.project.run(["bus", "discover"])).stdout.trim();
    expect(await found()).toBe(task.folder.busFile);
    task.project.write("MESSAGE-BUS.md", "");
    expect(await found()).toBe(join(task.project.directory, "MESSAGE-BUS.md"));
  });

  it("ends what a dead supervisor that was started here left, when another run starts here (S3-22)", async () => {
    const task = openTask();
    task.agent('[ -n "$TASK_FOLDER" ] || { echo "<promise>DONE</promise>"; exit 0; }\ntouch begun\nexec sleep 600');
    const started = task.start();
    await eventually(() => expect(task.project.has("begun")).toBe(true));
    process.kill(started.pid, "SIGKILL");
    await started.ended;
    expect((await task.project.run(["run", "-p", "x"])).code).toBe(0);
    expect(task.records()).toMatchObject([{ status: "failed" }]);
    expect(task.project.living()).toEqual([]);
  });

  it("finds a supervised run that was started from this directory", async () => {
    const task = openTask();
    task.agent("touch begun\nsleep 600");
    const started = task.start();
    await eventually(() => expect(task.project.has("begun")).toBe(true));
    expect(await task.project.json(["status"])).toMatchObject({ runs: [{ state: "running" }] });
    expect((await task.project.run(["cancel"])).code).toBe(0);
    expect((await started.ended).code).toBe(5);
  });
});
