import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realKeeping, scratchTask } from "../../../tests/bus/scratch-task.ts";
import { readAll } from "../bus/read-bus.ts";
import { propagateCompletion } from "./propagate-completion.ts";
import { idsOfFolder, type TaskFolder } from "./records/task-folder.ts";
import { createDisk } from "../lib/disk.ts";

const reading = { files: createDisk() };

const keeping = realKeeping();

function doneTask(): TaskFolder {
  const task = scratchTask();
  writeFileSync(task.doneFile, "");
  mkdirSync(join(task.runsFolder, "r-1"), { recursive: true });
  return task;
}

const propagate = (task: TaskFolder): ReturnType<typeof propagateCompletion> =>
  propagateCompletion(task, idsOfFolder(task), keeping);

describe("the project's knowledge of a completed task", () => {
  it("is one fact for each completion (S3-18, R-98)", async () => {
    const task = doneTask();
    expect(await propagate(task)).toMatchObject({ result: "posted" });
    expect(await propagate(task)).toEqual({ result: "known" });
    const [fact, ...others] = readAll(task.projectBusFile, reading);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ type: "FACT", projectId: "shop", taskId: "task-001" });
    expect(fact?.body).toBe("task task-001 completed (runs: 1, facts: 0)");
    utimesSync(task.doneFile, 1_000_000, 1_000_000);
    expect(await propagate(task)).toMatchObject({ result: "posted" });
    expect(readAll(task.projectBusFile, reading)).toHaveLength(2);
  });

  it.each(["lost", "broken"])("stays one fact when its note is %s (R-98)", async (how) => {
    const task = doneTask();
    await propagate(task);
    if (how === "lost") rmSync(task.propagationFile);
    else writeFileSync(task.propagationFile, "key: 'ha");
    expect(await propagate(task)).toEqual({ result: "known" });
    expect(readAll(task.projectBusFile, reading)).toHaveLength(1);
  });

  it("is one fact also when many tell of it at once (R-98)", async () => {
    const task = doneTask();
    const results = await Promise.all(Array.from({ length: 8 }, () => propagate(task)));
    expect(results.filter(({ result }) => result === "posted")).toHaveLength(1);
    expect(readAll(task.projectBusFile, reading)).toHaveLength(1);
  });

  it("of another task with the same key is not taken for it", async () => {
    const task = doneTask();
    await propagateCompletion(task, { projectId: "shop", taskId: "other" }, keeping);
    rmSync(task.propagationFile);
    expect(await propagate(task)).toMatchObject({ result: "posted" });
  });

  it("fails without failing the task, and is nothing before DONE (R-98)", async () => {
    const task = doneTask();
    mkdirSync(task.projectBusFile);
    expect(await propagate(task)).toMatchObject({ result: "failed", problem: expect.stringContaining("regular file") });
    rmSync(task.doneFile);
    expect(await propagate(task)).toEqual({ result: "not-done" });
  });
});
