import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patient } from "../patience.ts";
import { eventually, type Started, until } from "../run/scratch-project.ts";
import { openTask, type ScratchTask } from "./open-task.ts";

const program = join(import.meta.dirname, "programs", "grows-wild.sh");

/** Each ending so many times; `npm run test:long` asks for a hundred in all. */
const repetitions = Number(process.env["RALPH_TEST_REPETITIONS"] ?? 4);
const atOnce = 3;

type Ending = {
  words?: () => string[];
  mode?: string;
  end: (task: ScratchTask, started: Started) => Promise<number | null>;
};

const endings: Record<string, Ending> = {
  "the timeout": {
    // Long enough for the agent to grow before the timeout ends it.
    words: () => ["--agent-timeout", `${patient(2000)}ms`, "--max-restarts", "1"],
    end: async (_, started) => ((await started.ended).code === 1 ? 0 : null),
  },
  cancel: {
    end: async (task, started) => {
      expect((await task.project.run(["cancel", "--task-dir", task.folder.path])).code).toBe(0);
      return (await started.ended).code === 5 ? 0 : null;
    },
  },
  "Ctrl-C": {
    end: async (_, started) => {
      process.kill(started.pid, "SIGINT");
      await until(() => started.stderr().includes("shutting down"), "the first signal");
      process.kill(started.pid, "SIGTERM");
      return (await started.ended).code === 130 ? 0 : null;
    },
  },
  DONE: { mode: "done", end: async (_, started) => (await started.ended).code },
  "kill -9 of the supervisor and resume": {
    end: async (task, started) => {
      process.kill(started.pid, "SIGKILL");
      await started.ended;
      expect(task.project.living().length).toBeGreaterThan(2);
      task.mark("DONE");
      const { code } = await task.project.run(["resume", "--task-dir", task.folder.path]);
      expect(task.records()).toMatchObject([{ status: "completed" }]);
      return code;
    },
  },
};

async function endOne({ words = () => [], mode = "", end }: Ending, killGraceMs: number): Promise<ScratchTask> {
  const task = openTask();
  const env = { RALPH_KILL_GRACE_MS: String(killGraceMs) };
  const started = task.start([...words(), "--", "sh", program, mode], { env });
  await until(() => task.has("grown"), `the agent to grow: ${started.stderr()}`);
  expect(await end(task, started)).toBe(0);
  expect(task.project.living()).toEqual([]);
  return task;
}

async function repeat(ending: Ending): Promise<number> {
  let left = repetitions;
  let ended = 0;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      await endOne(ending, 100);
      ended += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ended;
}

describe("nothing of an agent that ignores SIGTERM, starts a grandchild and a daemon and floods standard error", () => {
  it.each(Object.entries(endings))(
    `is alive after %s, ${repetitions} times (S3-20..22, S3-24, S3-40, R-80, R-81, R-84, R-85)`,
    async (_, ending) => expect(await repeat(ending)).toBe(repetitions),
  );

  it("is alive after the timeout with the real grace (S3-21, S3-25, R-81)", async () => {
    const task = await endOne(
      { ...endings["the timeout"], end: async (_, started) => ((await started.ended).code === 1 ? 0 : null) },
      5000,
    );
    expect(task.records()).toMatchObject([{ status: "failed", exit_code: 137 }]);
  });
});

describe("the record of a run whose supervisor was killed", () => {
  const commands: [string, (task: ScratchTask) => Promise<number | null>][] = [
    ["resume", async (task) => (await task.project.run(["resume", "--task-dir", task.folder.path])).code],
    ["cancel", async (task) => (await task.project.run(["cancel", "--task-dir", task.folder.path])).code],
    ["another supervise", async (task) => (await task.run()).code],
  ];
  it.each(commands)(
    "is closed as failed by %s, with its output and a RUN_STOP (R-44, R-97, S3-22, S3-35)",
    async (_, clean) => {
      const task = openTask();
      task.agent("[ $n = 2 ] && done_now && exit 0\necho half done\necho oh no >&2\nexec sleep 600");
      const started = task.start();
      await eventually(() => {
        expect(task.lastRunFile("agent-stdout.txt")).toBe("half done\n");
        expect(task.lastRunFile("agent-stderr.txt")).toBe("oh no\n");
      });
      process.kill(started.pid, "SIGKILL");
      await started.ended;
      expect(await clean(task)).toBe(0);
      const [record] = task.records();
      expect(record).toMatchObject({ status: "failed", error_summary: "its process was gone" });
      expect(readFileSync(String(record?.["output_path"]), "utf8")).toBe("half done\n");
      const stops = task.messages().filter(({ type, runId }) => type === "RUN_STOP" && runId === record?.["run_id"]);
      expect(stops.map(({ body }) => body)).toEqual([
        `run ${String(record?.["run_id"])} failed: its process was gone\noh no`,
      ]);
      expect(task.project.living()).toEqual([]);
    },
  );

  it("is closed when the task goes on (R-44, R-97)", async () => {
    const task = openTask();
    task.agent("[ $n = 2 ] && done_now && exit 0\nexec sleep 600");
    const started = task.start();
    await until(() => task.project.prompts().length === 1, "the first run");
    process.kill(started.pid, "SIGKILL");
    await started.ended;
    expect((await task.project.run(["resume", "--task-dir", task.folder.path])).code).toBe(0);
    expect(task.records()).toMatchObject([{ status: "failed" }, { status: "completed" }]);
    expect(task.project.prompts()[1]).toContain("Continue working on the following:");
  });
});

describe("requests to a supervised run", () => {
  it("during the restart delay end it promptly (S3-10, S3-13, R-87, CB-19)", async () => {
    const task = openTask();
    task.agent("exit 0");
    const started = task.start(["--restart-delay", "10m"]);
    await until(() => started.stderr().includes("(restart-delay)"), "the delay");
    expect((await task.project.run(["cancel", "--task-dir", task.folder.path])).code).toBe(0);
    expect((await started.ended).code).toBe(5);
    expect(task.records()).toHaveLength(1);
    expect(task.bus().at(-1)).toMatch(/^WARNING task cancelled: /);
  });

  it("by one signal let the run finish and begin no other (R-84)", async () => {
    const task = openTask();
    task.agent('touch "$TASK_FOLDER/begun"\nwhile [ ! -e "$TASK_FOLDER/go" ]; do sleep 0.02; done');
    const started = task.start();
    await until(() => task.has("begun"), "the first run");
    process.kill(started.pid, "SIGINT");
    await until(() => started.stderr().includes("shutting down"), "the signal");
    task.mark("go");
    expect((await started.ended).code).toBe(130);
    expect(task.records()).toMatchObject([{ status: "completed" }]);
  });

  it("are shown by status of the task's directory (CB-10)", async () => {
    const task = openTask();
    task.agent("exit 42");
    await task.run();
    const { runs } = await task.project.json(["status", "--task-dir", task.folder.path]);
    expect(runs).toMatchObject([{ kind: "supervise", outcome: "waiting", iteration: 1, maxIterations: 100 }]);
  });
});
