import { describe, expect, it } from "vitest";
import { inheritedMismatches, pathWithFirst, supervisedEnvironment } from "./supervised-environment.ts";

const place = {
  projectId: "shop",
  taskId: "task-001",
  runId: "r-2",
  parentRunId: null,
  runsRoot: "/runs",
  taskFolder: "/runs/shop/task-001",
  runFolder: "/runs/shop/task-001/runs/r-2",
  busPath: "/runs/shop/task-001/TASK-MESSAGE-BUS.md",
  serverUrl: null,
};

describe("the environment of a supervised agent", () => {
  it("names project, task, run and folders, also by their older names (S3-17, CW-3I)", () => {
    expect(supervisedEnvironment(place)).toEqual({
      JRUN_PROJECT_ID: "shop",
      JRUN_TASK_ID: "task-001",
      JRUN_ID: "r-2",
      JRUN_PARENT_ID: "",
      JRUN_RUNS_DIR: "/runs",
      JRUN_MESSAGE_BUS: place.busPath,
      JRUN_TASK_FOLDER: place.taskFolder,
      JRUN_RUN_FOLDER: place.runFolder,
      TASK_FOLDER: place.taskFolder,
      RUN_FOLDER: place.runFolder,
      MESSAGE_BUS: place.busPath,
    });
    const served = supervisedEnvironment({ ...place, parentRunId: "r-1", serverUrl: "http://127.0.0.1:1" });
    expect(served).toMatchObject({ JRUN_PARENT_ID: "r-1", JRUN_CONDUCTOR_URL: "http://127.0.0.1:1" });
  });

  it("is compared with what was inherited", () => {
    const own = supervisedEnvironment(place);
    expect(inheritedMismatches({ JRUN_TASK_ID: "task-001", JRUN_ID: "r-1", JRUN_RUNS_DIR: "" }, own)).toEqual([]);
    expect(inheritedMismatches({ JRUN_TASK_ID: "other" }, own)).toEqual([
      "JRUN_TASK_ID is other in the environment, this run uses task-001",
    ]);
  });

  it("finds our own program first", () => {
    expect(pathWithFirst("/own", "/bin:/own:/usr/bin", ":")).toBe("/own:/bin:/usr/bin");
    expect(pathWithFirst("/own", undefined, ":")).toBe("/own");
  });
});
