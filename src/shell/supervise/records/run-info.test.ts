import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { realKeeping, runningRun, scratchTask } from "../../../../tests/bus/scratch-task.ts";
import { newSupervisedRunId } from "./new-run-id.ts";
import { readRunInfo, updateRunInfo, writeRunInfo } from "./run-info.ts";
import { runFolderOf } from "./task-folder.ts";

const keeping = realKeeping();
const { disk } = keeping;

describe("a run-info.yaml", () => {
  it("comes back as it was written, whatever its texts are", async () => {
    const folder = runFolderOf(scratchTask(), "r-1");
    const run = runningRun("r-1", {
      commandline: "a: b\n---\n'x' \"y\" #",
      cwd: "yes",
      pid: 7,
      pgid: 7,
      projectId: "123",
    });
    await writeRunInfo(folder, run, disk);
    expect(await readRunInfo(folder, disk)).toEqual({ run, foreign: {}, problem: null });
    expect(readdirSync(folder.path)).toEqual(["run-info.yaml"]);
  });

  it("is updated under its lock, keeping the fields of other tools (R-99)", async () => {
    const folder = runFolderOf(scratchTask(), "r-1");
    mkdirSync(folder.path, { recursive: true });
    writeFileSync(folder.infoFile, "version: 1\nrun_id: r-1\nstatus: running\nqueue_position: 4\nnested: {a: [1]}\n");
    await updateRunInfo(folder, () => ({ status: "completed", exitCode: 0, endedAt: 1000 }), keeping);
    expect(parse(readFileSync(folder.infoFile, "utf8"))).toMatchObject({
      status: "completed",
      exit_code: 0,
      end_time: "1970-01-01T00:00:01.000Z",
      queue_position: 4,
      nested: { a: [1] },
    });
    expect(readdirSync(folder.path)).toEqual(["run-info.yaml"]);
  });

  it("loses no update of many at once", async () => {
    const folder = runFolderOf(scratchTask(), "r-1");
    await writeRunInfo(folder, runningRun("r-1", { exitCode: 0 }), disk);
    const updates = Array.from({ length: 20 }, () =>
      updateRunInfo(folder, ({ exitCode }) => ({ exitCode: exitCode + 1 }), keeping),
    );
    await Promise.all(updates);
    expect((await readRunInfo(folder, disk)).run.exitCode).toBe(20);
  });

  it("is not updated while a living process holds its lock", async () => {
    const folder = runFolderOf(scratchTask(), "r-1");
    await writeRunInfo(folder, runningRun("r-1"), disk);
    writeFileSync(`${folder.infoFile}.lock`, JSON.stringify({ pid: 1, startTime: "x", host: hostname() }));
    let upMs = 0;
    const clock = { ...keeping.clock, upMs: () => (upMs += 1000) };
    const update = updateRunInfo(folder, () => ({ exitCode: 1 }), { ...keeping, clock });
    await expect(update).rejects.toMatchObject({ code: "supervised" });
    expect((await readRunInfo(folder, disk)).run.exitCode).toBe(-1);
  });

  it.each([
    ["missing", null],
    ["broken", "version: 1\nrun_id: r-1\nstatus: 'run"],
    ["broken", ""],
    ["broken", "just words"],
    ["newer-version", "version: 2\nrun_id: r-1\n"],
  ])("that is %s makes a run of status unknown and is not overwritten by an update (R-99)", async (kind, text) => {
    const folder = runFolderOf(scratchTask(), "r-1");
    mkdirSync(folder.path, { recursive: true });
    if (text !== null) writeFileSync(folder.infoFile, text);
    const reading = await readRunInfo(folder, disk);
    expect(reading.run).toMatchObject({ runId: "r-1", status: "unknown" });
    expect(reading.problem?.kind).toBe(kind);
    await expect(updateRunInfo(folder, () => ({ exitCode: 1 }), keeping)).rejects.toMatchObject({ code: "supervised" });
  });
});

describe("run ids of one process", () => {
  it("are never equal, also in one millisecond", () => {
    const ids = Array.from({ length: 1000 }, () => newSupervisedRunId(1000));
    expect(new Set(ids).size).toBe(1000);
    expect(ids[0]).toMatch(/^19700101-0000010000-\d+-\d+$/);
  });
});
