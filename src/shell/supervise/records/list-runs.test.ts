import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realKeeping, runningRun, scratchTask } from "../../../../tests/bus/scratch-task.ts";
import type { SupervisedRun } from "../../../core/supervise/run-record.ts";
import { findChildren, listRuns } from "./list-runs.ts";
import { readRunInfo, writeRunInfo } from "./run-info.ts";
import type { LivenessWorld } from "./run-liveness.ts";
import { runFolderOf, type TaskFolder } from "./task-folder.ts";

const keeping = realKeeping();

/** Groups of these numbers live. */
function worldWith(...living: number[]): LivenessWorld {
  const rows = living.map((pid) => ({
    pid,
    parentPid: 1,
    groupId: pid,
    sessionId: pid,
    startTime: "s",
    startedAt: 0,
    isZombie: false,
  }));
  return {
    table: { readAll: () => rows, readOne: (pid) => rows.find((row) => row.pid === pid) ?? null },
    askGroup: (pgid) => (living.includes(pgid) ? "there" : "gone"),
    startedAtMs: () => 0,
    isOurs: () => true,
  };
}

async function add(task: TaskFolder, runId: string, fields: Partial<SupervisedRun>): Promise<void> {
  await writeRunInfo(runFolderOf(task, runId), runningRun(runId, { parentRunId: "root", ...fields }), keeping.disk);
}

describe("the runs of a task", () => {
  it("are listed oldest first, broken ones among them (R-99)", async () => {
    const task = scratchTask();
    expect(await listRuns(task, keeping.disk)).toEqual([]);
    await add(task, "20260102-000000-1-1", { pid: 2, pgid: 2 });
    await add(task, "20260101-000000-1-1", { pid: 2, pgid: 2 });
    mkdirSync(join(task.runsFolder, "20260103-000000-1-1"));
    writeFileSync(join(task.runsFolder, "notes.md"), "");
    const runs = await listRuns(task, keeping.disk);
    expect(runs.map(({ run }) => `${run.runId.slice(0, 8)} ${run.status}`)).toEqual([
      "20260101 running",
      "20260102 running",
      "20260103 unknown",
    ]);
  });
});

describe("the children of a task", () => {
  it("are the runs with a parent and a living group that have not ended (S3-37)", async () => {
    const task = scratchTask();
    await add(task, "alive", { pid: 11, pgid: 11 });
    await add(task, "root-run", { pid: 12, pgid: 12, parentRunId: null });
    await add(task, "ended", { pid: 13, pgid: 13, endedAt: 1000, status: "completed" });
    const children = await findChildren(task, { keeping, world: worldWith(11, 12, 13) });
    expect(children.active.map(({ runId }) => runId)).toEqual(["alive"]);
    expect(children).toMatchObject({ ended: [], problems: [] });
    await add(task, "born-later", { pid: 12, pgid: 12 });
    const again = await findChildren(task, { keeping, world: worldWith(11, 12, 13) });
    expect(again.active.map(({ runId }) => runId)).toEqual(["alive", "born-later"]);
  });

  it("whose process is gone are closed as failed and not waited for (R-97)", async () => {
    const task = scratchTask();
    await add(task, "dead", { pid: 11, pgid: 11 });
    const { active, ended } = await findChildren(task, { keeping, world: worldWith() });
    expect(active).toEqual([]);
    expect(ended.map(({ runId }) => runId)).toEqual(["dead"]);
    const { run } = await readRunInfo(runFolderOf(task, "dead"), keeping.disk);
    expect(run).toMatchObject({ status: "failed", errorSummary: "its process was gone" });
    expect(run.endedAt).not.toBeNull();
    expect(await findChildren(task, { keeping, world: worldWith() })).toMatchObject({ active: [], ended: [] });
  });

  it("that put their agent in place of themselves meanwhile stay active (R-95)", async () => {
    const task = scratchTask();
    await add(task, "child", { pid: 11, pgid: 11 });
    // The record changes between the first look and the lock.
    const world = worldWith(12);
    const disk = {
      ...keeping.disk,
      createOnce: (path: string, text: string) => {
        const { infoFile } = runFolderOf(task, "child");
        writeFileSync(infoFile, readFileSync(infoFile, "utf8").replaceAll(/^(pg?id): 11$/gm, "$1: 12"));
        return keeping.disk.createOnce(path, text);
      },
    };
    const { active, ended } = await findChildren(task, { keeping: { ...keeping, disk }, world });
    expect(active.map(({ pgid }) => pgid)).toEqual([12]);
    expect(ended).toEqual([]);
  });

  it("with a record nobody can read are named and not waited for (CW-3J)", async () => {
    const task = scratchTask();
    mkdirSync(join(task.runsFolder, "half"), { recursive: true });
    writeFileSync(join(task.runsFolder, "half", "run-info.yaml"), "run_id: 'ha");
    const children = await findChildren(task, { keeping, world: worldWith() });
    expect(children.active).toEqual([]);
    expect(children.problems).toEqual([expect.stringContaining(join("half", "run-info.yaml"))]);
  });
});
