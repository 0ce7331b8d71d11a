import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { until } from "../run/scratch-project.ts";
import { openTask } from "./open-task.ts";

describe("ralph supervise", () => {
  it("ends with 0 after one run that makes DONE (S3-09, S3-13, S3-14)", async () => {
    const task = openTask();
    task.agent("done_now");
    const { code, stderr } = await task.run();
    expect(stderr).toContain("Starting agent (attempt 1)\n");
    expect(stderr).toContain("completed, unverified: DONE found after run 1.");
    expect(code).toBe(0);
    expect(task.records()).toHaveLength(1);
  });

  it("restarts after exit code 0 and after failures until DONE is there (S3-07, S3-08, S3-10, S3-11, S3-13, S3-19, CB-05, CW-3F)", async () => {
    const task = openTask();
    task.agent("case $n in 1) exit 1;; 2) exit 0;; 3) done_now; exit 7;; esac");
    const { code, stderr } = await task.run();
    expect(code).toBe(0);
    expect(stderr).toContain("Agent failed with exit code 1, restarting (attempt 2/100)\n");
    expect(stderr).toContain("Restarting agent (attempt 3/100)\n");
    expect(stderr).toContain("(restart-delay)");
    expect(task.records().map((record) => [record["status"], record["exit_code"]])).toEqual([
      ["failed", 1],
      ["completed", 0],
      ["failed", 7],
    ]);
  });

  it("writes its life to the task's bus (S3-18, S3-35, S3-36, CB-18)", async () => {
    const task = openTask();
    task.agent('echo "no such table" >&2\n[ $n = 2 ] && done_now\n[ $n = 2 ] || exit 1');
    await task.run();
    const [first, second] = task.records().map((record) => String(record["run_id"]));
    expect(task.bus()).toEqual([
      "INFO starting root agent (restart #0)",
      `RUN_START run ${first} started`,
      `RUN_STOP run ${first} failed with exit code 1`,
      "WARNING root agent failed on restart #0: failed with exit code 1: no such table",
      "INFO starting root agent (restart #1)",
      `RUN_START run ${second} started`,
      `RUN_STOP run ${second} ended`,
      "INFO task completed (DONE marker present, no active children)",
    ]);
    expect(task.messages()[2]).toMatchObject({
      projectId: "shop",
      taskId: "task-001",
      runId: first,
      body: `run ${first} failed with exit code 1\nno such table`,
    });
  });

  it("runs at most as often as it may, ends with 1 and puts an error on the bus (S3-06, S3-12, S3-13, CW-3D, R-54)", async () => {
    const task = openTask();
    task.agent("exit 1");
    const { code, stderr } = await task.run(["--max-restarts", "2"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Attempt 2: Max restarts exceeded, stopping\n");
    expect(task.records()).toHaveLength(2);
    expect(task.bus().at(-1)).toBe("ERROR task failed: max restarts (2) exceeded");
    const more = await task.project.run(["resume", "--task-dir", task.folder.path, "-m", "1"]);
    expect(more.code).toBe(1);
    expect(task.records()).toHaveLength(3);
  });

  it("ends without a delay after the last run (S3-06, S3-10)", async () => {
    const task = openTask();
    task.agent("exit 0");
    const { code, stderr } = await task.run(["--max-restarts", "1", "--restart-delay", "10m"]);
    expect(code).toBe(1);
    expect(stderr).not.toContain("(restart-delay)");
  });

  it("waits the delay that was given after each failure, and longer only by restart.backoff (S3-07, S3-10)", async () => {
    const waitsOf = async (settings: Record<string, unknown>): Promise<string[]> => {
      const task = openTask();
      task.agent("exit 1", settings);
      const { stderr } = await task.run(["--max-restarts", "4", "--restart-delay", "100ms"]);
      return stderr.match(/waiting .*/g) ?? [];
    };
    expect(await waitsOf({})).toEqual(Array.from({ length: 3 }, () => "waiting 0.1s (restart-delay)"));
    expect((await waitsOf({ restart: { backoff: true } })).at(-1)).toMatch(/^waiting 0\.[345]s \(back-off\)$/);
  });

  it.each([
    ["--max-restarts", "0"],
    ["--max-restarts", "x"],
    ["--restart-delay", "soon"],
    ["--poll-interval", "0"],
    ["--poll-interval", "5"],
    ["--max-time", "never"],
    ["--max-cost", "0"],
    ["--task-dir", "nowhere"],
    ["-f", "prompt.md"],
  ])("refuses %s %s with 2 (S3-03)", async (...words) => {
    const task = openTask();
    task.agent("done_now");
    const { code, stderr } = await task.run(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ralph: /);
    expect(task.records()).toEqual([]);
  });

  it("stops when its time is over, during a run and during a delay (S3-03, S3-13)", async () => {
    const running = openTask();
    running.agent("exec sleep 600");
    const cut = await running.run(["--max-time", "1s"]);
    expect(cut).toMatchObject({ code: 4, stderr: expect.stringContaining("stopped: ") });
    const waiting = openTask();
    waiting.agent("exit 0");
    expect((await waiting.run(["--max-time", "2s", "--restart-delay", "10m"])).code).toBe(4);
  });

  it("stops when its money is spent (S3-03)", async () => {
    const task = openTask();
    const result = '{"type":"result","subtype":"success","is_error":false,"result":"x","total_cost_usd":2}';
    task.project.claude(`printf '%s\\n' '${result}'`);
    const { code, stderr } = await task.run(["--max-cost", "3"]);
    expect(code).toBe(4);
    expect(stderr).toContain("stopped: ");
    expect(task.records()).toHaveLength(2);
  });

  it("stops at once when the program is not there or may not be run, and names it (S3-32, S3-33, S3-34, S3-13, R-83, CW-3B)", async () => {
    for (const name of ["no-such-agent", "not-executable"]) {
      const task = openTask();
      const path = `${task.project.root}/${name}`;
      if (name === "not-executable") writeFileSync(path, "echo", { mode: 0o644 });
      const { code, stderr } = await task.run(["--", path]);
      expect(code).toBe(2);
      const lines = stderr.split("\n").filter((line) => line.includes(name) && !line.includes("unsandboxed: "));
      expect(lines).toEqual([expect.stringMatching(/^\[[-\d: ]+\] Fatal error: Cannot start /)]);
      expect(stderr).not.toContain("Failed (");
      expect(task.records()).toMatchObject([{ status: "failed" }]);
      expect(task.bus().at(-1)).toMatch(new RegExp(`^ERROR task failed: .*${name}`));
    }
  });

  it("ends a run at its timeout, counts it as failed and restarts (S3-25, S3-26, R-82, CW-3A)", async () => {
    const task = openTask();
    task.agent("[ $n = 2 ] && done_now && exit 0\nwhile :; do echo at work; sleep 0.05; done");
    const { code, stderr } = await task.run(["--agent-timeout", "400ms", "--idle-timeout", "20s"]);
    expect(code).toBe(0);
    expect(stderr).toContain("Agent timeout after 0.4s, killing process group\n");
    expect(stderr).toContain("Process group killed, treating as failure");
    expect(stderr).toContain("Restarting agent (attempt 2/100)\n");
    expect(task.records()).toMatchObject([
      { status: "failed", error_summary: "ended by the wall timeout" },
      { status: "completed" },
    ]);
    expect(task.bus().filter((line) => line.startsWith("RUN_CRASH"))).toHaveLength(1);
  });

  it("ends a silent run, and not one that speaks (R-82)", async () => {
    const task = openTask();
    task.agent(
      "[ $n = 2 ] && { for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done; done_now; exit 0; }\nexec sleep 600",
    );
    const { code } = await task.run(["--idle-timeout", "500ms"]);
    expect(code).toBe(0);
    expect(task.records()).toMatchObject([{ error_summary: "ended by the idle timeout" }, { status: "completed" }]);
  });

  it("gives an agent that reads standard input its end (R-85)", async () => {
    const task = openTask();
    const { code } = await task.run(["--", "sh", "-c", 'cat >/dev/null; touch "$TASK_FOLDER/DONE"']);
    expect(code).toBe(0);
  });

  it("takes two supervisors of one task apart by its directory (S3-01)", async () => {
    const task = openTask();
    task.agent("[ -e $TASK_FOLDER/go ] && done_now; sleep 0.05");
    const started = task.start();
    await until(() => task.records().length > 0, "the first run");
    const second = await task.run();
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`${task.folder.path} is already worked on by run `);
    task.mark("go");
    expect((await started.ended).code).toBe(0);
  });
});

it("shows with --dry-run what done means and the first run, and starts and writes nothing (S1-81)", async () => {
  const task = openTask();
  task.agent("touch ran; done_now", { guardrails: [{ command: "make test", failAction: "APPEND" }] });
  const { code, stdout } = await task.run(["--dry-run", "--agent-timeout", "7m", "--max-restarts", "4"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Done means:\n  the agent makes the file DONE\n  make test: ");
  expect(stdout).toMatch(/^Limits: +iterations 4, a turn 7m/m);
  expect([task.has("DONE"), task.records(), task.bus(), task.project.has("ran")]).toEqual([false, [], [], false]);
});
