import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SuperviseEvent, superviseLoop, type SuperviseLoopOptions, wire } from "../../src/index.ts";
import { readAll } from "../../src/shell/bus/read-bus.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { listRuns } from "../../src/shell/supervise/records/list-runs.ts";
import { writeRunInfo } from "../../src/shell/supervise/records/run-info.ts";
import { processFacts } from "../../src/shell/supervise/records/run-liveness.ts";
import { runFolderOf, type TaskFolder } from "../../src/shell/supervise/records/task-folder.ts";
import { runningRun, scratchTask } from "../bus/scratch-task.ts";
import { openFolder } from "./open-folder.ts";

const reading = { files: createDisk() };

type Attempts = { task: TaskFolder; attempts: number[] };

async function check(
  runRoot: (attempt: number, task: TaskFolder, signal: AbortSignal) => Error | null | Promise<Error | null>,
  options: Partial<SuperviseLoopOptions> = {},
): Promise<Attempts & { outcome: string; isVerified: boolean; error: Error | null }> {
  const task = scratchTask();
  const attempts: number[] = [];
  const { outcome, error } = await superviseLoop({
    taskDir: task.path,
    projectDir: openFolder(),
    stateFolder: openFolder(),
    restartDelayMs: 1,
    pollIntervalMs: 5,
    runRoot: async (attempt, signal) => {
      attempts.push(attempt);
      return runRoot(attempt, task, signal);
    },
    ...options,
  });
  return { task, attempts, outcome: outcome.name, isVerified: outcome.isVerified === true, error };
}

const done = (task: TaskFolder): null => {
  writeFileSync(task.doneFile, "");
  return null;
};
const failing = (fields: object = {}): Error => Object.assign(new Error("broken pipe"), fields);

const withoutId = (line: string): string => line.replace(/run \d[\w-]+/, "run ID");

function inWords(event: SuperviseEvent): string {
  switch (event.type) {
    case "run-started":
      return `${event.type} ${event.attempt}`;
    case "run-ended":
      return `${event.type} ${event.attempt} ${event.error?.message ?? null}`;
    case "waiting":
      return `${event.type} for ${event.waitsFor} ${event.durationMs}`;
    case "message":
      return `${event.type} ${event.messageType} ${event.body}`;
    case "warning":
      return `${event.type} ${event.text}`;
    case "ended":
      return `${event.type} ${event.outcome.name}`;
  }
}

describe("superviseLoop", () => {
  it("succeeds at once when the first run makes DONE (S3-09, S3-13)", async () => {
    const end = await check((_, task) => done(task));
    expect(end).toMatchObject({ attempts: [0], outcome: "completed", error: null });
  });

  it("succeeds after restarts, counting attempts from 0, and writes its life to the bus (S3-01, S3-35, S3-39, CB-10)", async () => {
    const { task, attempts, error } = await check((attempt, folder) => (attempt < 2 ? failing() : done(folder)));
    expect({ attempts, error }).toEqual({ attempts: [0, 1, 2], error: null });
    const lines = readAll(task.busFile, reading).map(({ type, body }) => withoutId(`${type} ${body}`));
    expect(lines).toEqual([
      "INFO starting root agent (restart #0)",
      "RUN_START run ID started",
      "RUN_STOP run ID failed with exit code 1\nbroken pipe",
      "WARNING root agent failed on restart #0: failed with exit code 1: broken pipe",
      "INFO starting root agent (restart #1)",
      "RUN_START run ID started",
      "RUN_STOP run ID failed with exit code 1\nbroken pipe",
      "WARNING root agent failed on restart #1: failed with exit code 1: broken pipe",
      "INFO starting root agent (restart #2)",
      "RUN_START run ID started",
      "RUN_STOP run ID ended",
      "INFO task completed (DONE marker present, no active children)",
    ]);
    expect(readAll(task.projectBusFile, reading).map(({ type }) => type)).toEqual(["FACT"]);
  });

  it("returns an error after as many runs as it may have, and says so on the bus (S3-06, S3-12, CW-3D)", async () => {
    const { task, attempts, error } = await check(() => null, { maxRestarts: 2 });
    expect(attempts).toEqual([0, 1]);
    expect(error?.message).toBe("max restarts exceeded");
    expect(readAll(task.busFile, reading).at(-1)).toMatchObject({
      type: "ERROR",
      body: "task failed: max restarts (2) exceeded",
    });
  });

  it("runs nothing with no restarts at all, and finds a DONE that is there (S3-05)", async () => {
    expect(await check(() => null, { maxRestarts: 0 })).toMatchObject({ attempts: [], outcome: "exhausted" });
  });

  it("returns the error of the signal and runs nothing when it is aborted before (S3-04, S3-31)", async () => {
    const reason = new Error("deadline exceeded");
    const end = await check(() => null, { signal: AbortSignal.abort(reason) });
    expect(end).toMatchObject({ attempts: [], outcome: "cancelled", error: reason });
  });

  it("ends the run at work when it is aborted meanwhile (S3-13, S3-31, R-87)", async () => {
    const stop = new AbortController();
    const end = await check(
      (_, __, signal) => {
        const aborted = new Promise<Error>((resolve) => {
          signal.addEventListener("abort", () => resolve(failing()));
        });
        stop.abort();
        return aborted;
      },
      { signal: stop.signal },
    );
    expect(end).toMatchObject({ attempts: [0], outcome: "cancelled", error: stop.signal.reason });
  });

  it("ends at once when aborted during the delay between two runs (S3-10, R-87)", async () => {
    const stop = new AbortController();
    const end = await check(
      () => {
        setTimeout(() => stop.abort(), 20);
        return null;
      },
      { signal: stop.signal, restartDelayMs: 600_000 },
    );
    expect(end).toMatchObject({ attempts: [0], outcome: "cancelled" });
  });

  it.each(["ENOENT", "EACCES"])("stops at the fatal error %s (S3-32, S3-33)", async (code) => {
    const end = await check(() => failing({ code }), { maxRestarts: 5 });
    expect(end).toMatchObject({ attempts: [0], outcome: "failed", error: { message: "broken pipe" } });
  });

  it("stops without an error when the run asks to wait (S3-27, S3-28)", async () => {
    const end = await check(() => failing({ exitCode: 42 }), { maxRestarts: 5 });
    expect(end).toMatchObject({ attempts: [0], outcome: "waiting", error: null });
  });

  it("tells each start, end, wait and message as it happens", async () => {
    const told: string[] = [];
    const onEvent = (event: SuperviseEvent): void => void told.push(withoutId(inWords(event)));
    const { task } = await check((attempt, folder) => (attempt < 1 ? failing() : done(folder)), { onEvent });
    expect(told).toEqual([
      expect.stringMatching(/^warning No check is configured/) as string,
      "message INFO starting root agent (restart #0)",
      "message RUN_START run ID started",
      "run-started 0",
      "run-ended 0 broken pipe",
      "message RUN_STOP run ID failed with exit code 1\nbroken pipe",
      "message WARNING root agent failed on restart #0: failed with exit code 1: broken pipe",
      "waiting for restart 1",
      "message INFO starting root agent (restart #1)",
      "message RUN_START run ID started",
      "run-started 1",
      "run-ended 1 null",
      "message RUN_STOP run ID ended",
      "message INFO task completed (DONE marker present, no active children)",
      "ended completed",
    ]);
    const messages = told.filter((line) => line.startsWith("message"));
    expect(readAll(task.busFile, reading)).toHaveLength(messages.length);
  });

  it("tells of a wait for children only where there are some", async () => {
    const told: string[] = [];
    const runId = "20260101-0000000000-1-1";
    const left: string[] = [];
    const { outcome } = await check(
      async (_, task) => {
        const child = runFolderOf(task, runId);
        left.push(child.path);
        const fields = { parentRunId: "root", startedAt: Date.now(), ...processFacts(process.pid) };
        await writeRunInfo(child, runningRun(runId, fields), createDisk());
        return done(task);
      },
      {
        waitTimeoutMs: 60_000,
        onEvent: (event) => {
          told.push(inWords(event));
          if (event.type === "waiting") for (const path of left) rmSync(path, { recursive: true });
        },
      },
    );
    expect(outcome).toBe("completed");
    expect(told.filter((line) => line.startsWith("waiting"))).toEqual(["waiting for children 60000"]);
  });

  it("goes on when the listener throws", async () => {
    const onEvent = (): never => {
      throw new Error("no listener of yours");
    };
    expect(await check((_, task) => done(task), { onEvent })).toMatchObject({ outcome: "completed", error: null });
  });

  it("refuses a DONE while a check is red, moves it aside with the reason on the bus, and runs again", async () => {
    const projectDir = openFolder({
      ".ralph/settings.json": JSON.stringify({ guardrails: [{ command: "test -e made", failAction: "APPEND" }] }),
    });
    const stateFolder = openFolder();
    const made: boolean[] = [];
    const end = await check(
      (attempt, task) => {
        if (attempt > 0) writeFileSync(join(projectDir, "made"), "");
        return done(task);
      },
      {
        projectDir,
        stateFolder,
        checks: [{ name: "it was made twice", when: "on-claim", check: () => made.push(true) > 1 }],
      },
    );
    expect(end).toMatchObject({ attempts: [0, 1, 2], outcome: "completed", isVerified: true, error: null });
    const { task } = end;
    expect(readdirSync(task.path).filter((name) => name.startsWith("DONE"))).toEqual([
      "DONE",
      "DONE.refused-1",
      "DONE.refused-2",
    ]);
    const refusals = readAll(task.busFile, reading).filter(({ body }) => body.startsWith("DONE was refused"));
    expect(refusals.map(({ type, body }) => `${type} ${body}`)).toEqual([
      expect.stringMatching(/^WARNING .*DONE\.refused-1: .*test -e made/) as string,
      expect.stringMatching(/^WARNING .*DONE\.refused-2: .*it was made twice/) as string,
    ]);
    const { store } = await wire({ folder: stateFolder });
    expect(await store.list({ directory: task.path, limit: 5 })).toMatchObject([
      { kind: "supervise", outcome: { name: "completed", isVerified: true } },
    ]);
    await store.close();
  });

  it("asks the checks of a DONE that is there before the first run, and of one that it only looks for", async () => {
    const task = scratchTask();
    done(task);
    const given = { taskDir: task.path, maxRestarts: 0 };
    const red = await check(() => null, { ...given, checks: ["false"] });
    expect(red).toMatchObject({ outcome: "exhausted", attempts: [] });
    const green = await check(() => null, { ...given, checks: ["true"] });
    expect(green).toMatchObject({ outcome: "completed", isVerified: true, attempts: [] });
    const restarted = await check(() => null, { ...given, checks: ["false"], maxRestarts: 2 });
    expect(restarted).toMatchObject({ outcome: "exhausted", attempts: [0, 1] });
    expect(existsSync(task.doneFile)).toBe(false);
  });

  it("is completed but not verified where no check is configured", async () => {
    expect(await check((_, task) => done(task))).toMatchObject({ outcome: "completed", isVerified: false });
  });

  it("takes the idle timeout of the settings for programs only: a function cannot speak", async () => {
    const settings = { agent: { idleTimeout: "1ms" }, children: { wait: "1m" } };
    const end = await check(
      async (_, task) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return done(task);
      },
      { settings },
    );
    expect(end).toMatchObject({ attempts: [0], outcome: "completed" });
  });

  it("ends when it is aborted although the run at work does not listen", async () => {
    const stop = new AbortController();
    const told: string[] = [];
    const end = await check(
      () => {
        stop.abort();
        return new Promise<null>(() => {});
      },
      { signal: stop.signal, onEvent: (event) => told.push(inWords(event)) },
    );
    expect(end).toMatchObject({ attempts: [0], outcome: "cancelled", error: stop.signal.reason });
    expect(told).toContain("warning The turn did not end in time and was abandoned.");
  });

  it("leaves a record of each run, with this process and the group it is really in", async () => {
    const { task } = await check((_, folder) => done(folder));
    const records = (await listRuns(task, createDisk())).map(({ run }) => run);
    expect(records).toMatchObject([{ ...processFacts(process.pid), status: "completed", exitCode: 0 }]);
  });

  it("refuses a task that another loop supervises", async () => {
    const stateFolder = openFolder();
    const end = await check(
      async (_, task) => {
        const second = check(() => null, { taskDir: task.path, stateFolder });
        await expect(second).rejects.toMatchObject({ name: "RalphError" });
        return done(task);
      },
      { stateFolder },
    );
    expect(end).toMatchObject({ attempts: [0], outcome: "completed" });
  });

  it("returns the error of a DONE that is a directory (S3-15)", async () => {
    const end = await check((_, task) => {
      mkdirSync(task.doneFile);
      return null;
    });
    expect(end).toMatchObject({ outcome: "failed", error: { message: "DONE is a directory" } });
  });

  it.each([
    [{ maxRestarts: -1 }, "option maxRestarts is -1, expected a whole number of at least 0."],
    [{ maxRestarts: 1.5 }, "option maxRestarts is 1.5, expected a whole number of at least 0."],
    [{ restartDelayMs: -1 }, "option restartDelayMs is -1, expected milliseconds, at least 0."],
    [{ waitTimeoutMs: 0 }, "option waitTimeoutMs is 0, expected milliseconds, at least 1."],
    [{ pollIntervalMs: Number.NaN }, "option pollIntervalMs is NaN, expected milliseconds, at least 1."],
    [{ taskDir: "/no/such/folder" }, 'option taskDir is "/no/such/folder", expected a directory that exists.'],
  ])("refuses %j by name (S3-03)", async (options, message) => {
    await expect(check(() => null, options)).rejects.toMatchObject({
      code: "usage",
      message: `superviseLoop: ${message}`,
    });
  });
});
