import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { superviseLoop } from "../../src/app/supervise-loop.ts";
import type { RunRecord } from "../../src/shell/ports.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { openTask, type ScratchTask } from "./open-task.ts";

/** The newest run as the store keeps it. */
async function storedRun({ project }: ScratchTask): Promise<RunRecord | undefined> {
  const store = await openSqliteStore({ folder: join(project.root, "state") });
  const [run] = await store.list({ directory: null, limit: 1 });
  await store.close();
  return run;
}

describe("the lines of a supervised run", () => {
  it("begin with date and time, not those of the agent (S3-19)", async () => {
    const task = openTask();
    task.agent("echo at work\n[ $n = 2 ] && done_now\nexit 1");
    const { stdout, stderr } = await task.run();
    const attempt =
      /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] Agent failed with exit code 1, restarting \(attempt 2\/100\)$/m;
    expect(stderr).toMatch(attempt);
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .filter((line) => !/^(?:\[|unsandboxed: )/.test(line)),
    ).toEqual([]);
    expect(stdout).toBe("at work\nat work\n");
  });

  it("begin so in a resume, and the agent's by --timestamps (S3-19)", async () => {
    const task = openTask();
    task.agent("echo at work\n[ $n = 2 ] && done_now\nexit 42");
    const stamp = String.raw`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] `;
    expect((await task.run(["--timestamps"])).stdout).toMatch(new RegExp(`${stamp}at work\n$`));
    const { stderr } = await task.project.run(["resume", "--task-dir", task.folder.path]);
    expect(stderr).toMatch(new RegExp(`${stamp}Starting agent \\(attempt 2\\)$`, "m"));
  });
});

describe("the examples of the document", () => {
  it("complete by the agent's own DONE, and by one from a shell (S3-05, S3-09, S3-14, S3-17)", async () => {
    const agent = 'echo "Building the basket"\necho "All done" > $TASK_FOLDER/DONE\nexit 0';
    const task = openTask();
    expect((await task.run(["--", "bash", "-c", agent])).code).toBe(0);
    expect(task.lastRunFile("output.md")).toBe("Building the basket\n");
    const other = openTask();
    execFileSync("touch", [join(other.folder.path, "DONE")]);
    expect((await other.run(["--", "false"])).code).toBe(0);
    expect(other.records()).toEqual([]);
  });

  it("leave a record with every field that other tools know (S3-29, R-99)", async () => {
    const task = openTask();
    await task.run(["--", "sh", "-c", "exit 42"]);
    const [record = {}] = task.records();
    const names =
      "version run_id parent_run_id previous_run_id project_id task_id agent process_ownership pid pgid process_start " +
      "start_time end_time exit_code status cwd prompt_path output_path stdout_path stderr_path commandline error_summary " +
      "agent_version";
    expect(Object.keys(record)).toEqual(names.split(" "));
    expect(record).toMatchObject({
      version: 1,
      project_id: "shop",
      task_id: "task-001",
      exit_code: 42,
      status: "stopped",
    });
  });

  it("leave entries on the bus between lines of dashes, with the fields of its header (S3-35, S3-36)", async () => {
    const task = openTask();
    const post = 'ralph bus post --type wait_without_restart --body "Waiting for a person"';
    expect((await task.run(["--", "sh", "-c", post])).code).toBe(3);
    const entry = readFileSync(task.folder.busFile, "utf8")
      .split("\n\n")
      .find((text) => text.includes("wait_without_restart"));
    const [, header = "", body] = (entry ?? "").split(/^---\n/m);
    expect(body).toBe("Waiting for a person");
    expect(parse(header)).toMatchObject({
      msg_id: expect.stringMatching(/^MSG-\d{8}-\d{6}-\d{9}-PID\d{5,}-\d{4}$/),
      ts: expect.stringMatching(/Z$/),
      type: "wait_without_restart",
      project_id: "shop",
      task_id: "task-001",
      run_id: task.records()[0]?.["run_id"],
    });
  });

  it("are settings, too, as far as they have a key (S3-03)", async () => {
    const task = openTask();
    task.project.settings({
      restart: { backoff: true },
      children: { wait: "10m", onTimeout: "orphan" },
      budget: { time: "2h", spend: 5 },
    });
    expect(await task.project.run(["settings", "check"])).toMatchObject({ code: 0 });
    task.project.settings({ restart: { backoff: "2x" } });
    const { code, stderr } = await task.project.run(["settings", "check"]);
    expect({ code, isNamed: stderr.includes("restart.backoff") }).toEqual({ code: 2, isNamed: true });
  });

  it("configure a loop of a program, whose function gets the attempt from 0 (S3-01, S3-03, S3-39)", async () => {
    const task = openTask();
    const attempts: number[] = [];
    const { outcome, error } = await superviseLoop({
      taskDir: task.folder.path,
      projectDir: task.project.directory,
      stateFolder: join(task.project.root, "state"),
      maxRestarts: 50,
      waitTimeoutMs: 600_000,
      pollIntervalMs: 1000,
      restartDelayMs: 5000,
      projectId: "my-project",
      taskId: "task-001",
      runRoot: (attempt) => {
        attempts.push(attempt);
        task.mark("DONE");
        return null;
      },
    });
    expect({ name: outcome.name, error, attempts }).toEqual({ name: "completed", error: null, attempts: [0] });
    expect(task.records()).toMatchObject([{ project_id: "my-project", status: "completed" }]);
  });
});

describe("the configuration of the document", () => {
  it("has a flag for each option (S3-01, S3-03)", async () => {
    const task = openTask();
    task.mark("DONE");
    const runsRoot = dirname(dirname(task.folder.path));
    const words = "supervise --project shop --task task-001 --max-restarts 50 --child-wait 10m --poll-interval 2s";
    const limits = "--restart-delay 5s --max-time 2h -- agent-cli";
    const env = { JRUN_RUNS_DIR: runsRoot };
    expect(await task.project.run(`${words} ${limits}`.split(" "), { env })).toMatchObject({ code: 0 });
    const { frozen, state } = (await storedRun(task)) ?? {};
    expect(frozen?.supervised).toMatchObject({
      taskDir: task.folder.path,
      projectId: "shop",
      taskId: "task-001",
      pollMs: 2000,
    });
    expect(frozen?.settings.children.wait).toBe(600_000);
    expect(state?.policy).toMatchObject({
      iterationsMax: 50,
      restartDelayMs: 5000,
      budgetMs: 7_200_000,
    });
  });

  it("has the defaults of the document where no flag is given (S3-02)", async () => {
    const task = openTask();
    task.mark("DONE");
    expect(await task.project.run(["supervise", "--task-dir", task.folder.path, "--", "agent-cli"])).toMatchObject({
      code: 0,
    });
    const { frozen, state } = (await storedRun(task)) ?? {};
    expect(frozen?.supervised?.pollMs).toBe(1000);
    expect(frozen?.settings.children.wait).toBe(300_000);
    expect(state?.policy).toMatchObject({ iterationsMax: 100, restartDelayMs: 1000, retryDelayMs: 0 });
  });
});
