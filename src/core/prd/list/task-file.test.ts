import { expect, it } from "vitest";
import { story, taskFile, taskFileText } from "../../../../tests/prd/sample-task-file.ts";
import { formatTaskFile, taskChanges, withTasks } from "./task-file.ts";

it("writes view and JSON together", () => {
  const file = taskFile([story("A"), story("B")]);
  const changes = taskChanges(file).map(({ task, raw }) => ({ task: { ...task, passes: task.id === "B" }, raw }));
  expect(withTasks(file, changes)).toEqual(taskFile([story("A"), story("B", { passes: true })]));
});

it("leaves notes away that were away", () => {
  const { notes: _, ...bare } = story("A");
  const file = taskFile([bare]);
  expect(withTasks(file, taskChanges(file)).raw).toEqual(file.raw);
});

it("keeps the indentation of the text it replaces", () => {
  const file = taskFile([story("A")]);
  expect(formatTaskFile(file, taskFileText([]).replaceAll(/^ +/gm, "\t"))).toContain('{\n\t"project"');
  expect(formatTaskFile(file)).toContain('{\n  "project"');
});
