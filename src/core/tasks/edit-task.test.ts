import { describe, expect, it } from "vitest";
import { editTask, newTask, standingOfEdited } from "./edit-task.ts";
import type { Task, TaskDefinition } from "./task.ts";

const definition: TaskDefinition = {
  id: "a",
  spec: "",
  title: "T",
  description: "",
  priority: 3,
  dependencies: [],
  assignee: null,
  metadata: {},
  completion: null,
};
const progress: Task["progress"] = { role: "qa", round: 1, reasons: [], runId: "r", note: "" };

describe("an edit", () => {
  const check = (status: Task["status"], changes: Partial<TaskDefinition>, expected: Partial<Task>) => {
    const task: Task = { ...newTask(definition, 1), status, iteration: 7, progress };
    const edited = editTask(task, { ...definition, ...changes }, 9);
    expect(edited).toMatchObject({ ...changes, ...expected, version: 2, createdAt: 1, updatedAt: 9 });
  };

  it.each<[Task["status"], Partial<TaskDefinition>, Partial<Task>]>([
    ["running", { title: "new" }, { status: "running", iteration: 7, progress }],
    ["done", { title: "new" }, { status: "ready", iteration: 0, progress: null }],
    ["failed", { description: "new" }, { status: "ready", iteration: 0, progress: null }],
    ["done", { priority: 1, assignee: "ada" }, { status: "done", iteration: 7, progress }],
    ["conflict", { title: "new" }, { status: "ready", iteration: 0, progress: null }],
    ["ready", { title: "new" }, { status: "ready", iteration: 0, progress: null }],
    ["ready", { priority: 1 }, { status: "ready", iteration: 7, progress }],
  ])("of a task that is %s with %o is a new version (S2-06)", (status, changes, expected) =>
    check(status, changes, expected),
  );

  it("keeps no field that the new version does not have, and begins no work again for one (S2-06)", () => {
    const task: Task = {
      ...newTask({ ...definition, other: { points: 5 } }, 1),
      status: "done",
      iteration: 7,
      progress,
    };
    expect(editTask(task, definition, 9)).toEqual({ ...task, other: undefined, version: 2, updatedAt: 9 });
  });

  it("leaves a task alone whose merge waits for its checks (S2-06)", () => {
    const merged = { ...progress, tip: { before: null } };
    const task: Task = { ...newTask(definition, 1), iteration: 7, progress: merged };
    expect(editTask(task, { ...definition, title: "new" }, 9)).toMatchObject({ iteration: 7, progress: merged });
    const standing = { status: "ready" as const, iteration: 7, progress: merged };
    expect(standingOfEdited({ ...definition, title: "new" }, definition, standing)).toBe(standing);
  });

  it("begins with an untouched first version (S2-05)", () => {
    expect(newTask(definition, 4)).toEqual({
      ...definition,
      version: 1,
      status: "ready",
      iteration: 0,
      progress: null,
      createdAt: 4,
      updatedAt: 4,
    });
  });
});

describe("a run that ends after an edit of its task", () => {
  const untouched = { status: "ready", iteration: 0, progress: null };
  it.each<[Task["status"], Partial<TaskDefinition>, "untouched" | "as it ended"]>([
    ["done", {}, "as it ended"],
    ["done", { title: "new" }, "untouched"],
    ["failed", { description: "new" }, "untouched"],
    ["done", { priority: 1, assignee: "ada" }, "as it ended"],
    ["running", { title: "new" }, "as it ended"],
    ["ready", { title: "new" }, "untouched"],
    ["conflict", { title: "new" }, "untouched"],
  ])("%s with %o leaves the stored task %s (S2-06)", (status, changes, expected) => {
    const ended = { status, iteration: 7, progress };
    const standing = standingOfEdited({ ...definition, ...changes }, definition, ended);
    expect(standing).toEqual(expected === "untouched" ? untouched : ended);
  });
});
