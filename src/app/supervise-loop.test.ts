import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runningRun, scratchTask } from "../../tests/bus/scratch-task.ts";
import { readAll } from "../shell/bus/read-bus.ts";
import { type SuperviseEvent, superviseLoop, type SuperviseLoopOptions } from "./supervise-loop.ts";
import { writeRunInfo } from "../shell/supervise/run-info.ts";
import { runFolderOf, type TaskFolder } from "../shell/supervise/task-folder.ts";
import { processFacts } from "../shell/supervise/run-liveness.ts";
import { createDisk } from "../shell/lib/disk.ts";

const reading = { files: createDisk() };

type Attempts = { task: TaskFolder; attempts: number[] };

async function check(
  runRoot: (attempt: number, task: TaskFolder, signal: AbortSignal) => Error | null | Promise<Error | null>,
  options: Partial<SuperviseLoopOptions> = {},
): Promise<Attempts & { outcome: string; error: Error | null }> {
  const task = scratchTask();
  const attempts: number[] = [];
  const { outcome, error } = await superviseLoop({
    taskDir: task.path,
    restartDelayMs: 1,
    pollIntervalMs: 5,
    runRoot: async (attempt, signal) => {
      attempts.push(attempt);
      return runRoot(attempt, task, signal);
    },
    ...options,
  });
  return { task, attempts, outcome: outcome.name, error };
}

const done = (task: TaskFolder): null => {
  writeFileSync(task.doneFile, "");
  return null;
};
const failing = (fields: object = {}): Error => Object.assign(new Error("broken pipe"), fields);

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
    expect(readAll(task.busFile, reading).map(({ type, body }) => `${type} ${body}`)).toEqual([
      "INFO starting root agent (restart #0)",
      "WARNING root agent failed on restart #0: broken pipe",
      "INFO starting root agent (restart #1)",
      "WARNING root agent failed on restart #1: broken pipe",
      "INFO starting root agent (restart #2)",
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
    const onEvent = (event: SuperviseEvent): void => void told.push(inWords(event));
    const { task } = await check((attempt, folder) => (attempt < 1 ? failing() : done(folder)), { onEvent });
    expect(told).toEqual([
      "message INFO starting root agent (restart #0)",
      "run-started 0",
      "run-ended 0 broken pipe",
      "message WARNING root agent failed on restart #0: broken pipe",
      "waiting for restart 1",
      "message INFO starting root agent (restart #1)",
      "run-started 1",
      "run-ended 1 null",
      "message INFO task completed (DONE marker present, no active children)",
      "ended completed",
    ]);
    expect(readAll(task.busFile, reading)).toHaveLength(4);
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
