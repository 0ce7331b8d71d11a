import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type SupervisedRun, unknownRun } from "../../src/core/supervise/run-record.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { realClock } from "../../src/shell/lib/real-clock.ts";
import type { RecordKeeping } from "../../src/shell/supervise/records/run-info.ts";
import { type TaskFolder, taskFolderAt } from "../../src/shell/supervise/records/task-folder.ts";
import { identitiesWith, scratchFolder } from "./scratch-bus.ts";

/** Real files and the real clock; nobody is dead. */
export function realKeeping(): RecordKeeping {
  return { disk: createDisk(), clock: realClock, identities: identitiesWith() };
}

/** The folder of a task `task-001` of the project `shop`, gone after the test. */
export function scratchTask(): TaskFolder {
  const path = join(scratchFolder(), "shop", "task-001");
  mkdirSync(path, { recursive: true });
  return taskFolderAt(path);
}

/** The record of a run that has just begun. */
export function runningRun(runId: string, fields: Partial<SupervisedRun> = {}): SupervisedRun {
  return { ...unknownRun(runId), status: "running", startedAt: Date.now(), ...fields };
}
