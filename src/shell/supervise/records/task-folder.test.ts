import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { idsOfFolder, runFolderOf, taskFolderAt, taskFolderOf } from "./task-folder.ts";

const root = resolve("/runs");

describe("the folder of a task", () => {
  it("lies below its project, with its files and both buses (S3-14, S3-36)", () => {
    const task = taskFolderOf(root, { projectId: "my-project", taskId: "task-001" });
    expect(task.doneFile).toBe(join(root, "my-project", "task-001", "DONE"));
    expect(task.busFile).toBe(join(root, "my-project", "task-001", "TASK-MESSAGE-BUS.md"));
    expect(task.projectBusFile).toBe(join(root, "my-project", "PROJECT-MESSAGE-BUS.md"));
    expect(task.rootPath).toBe(root);
    expect(idsOfFolder(taskFolderAt(task.path))).toEqual({ projectId: "my-project", taskId: "task-001" });
  });

  it("is never outside of the root, nor a run outside of its task", () => {
    for (const id of ["..", "../x", "a/b", ""]) {
      expect(() => taskFolderOf(root, { projectId: id, taskId: "t" })).toThrow("project id");
      expect(() => taskFolderOf(root, { projectId: "p", taskId: id })).toThrow("task id");
      expect(() => runFolderOf(taskFolderAt("/t"), id)).toThrow("run id");
    }
  });
});
