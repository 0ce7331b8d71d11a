import { expect, it } from "vitest";
import { settingsSchema } from "../../../core/settings/settings.ts";
import { newTask } from "../../../core/tasks/edit-task.ts";
import { readTask } from "../../../core/tasks/read-task.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { taskTable } from "./list.ts";

function task(id: string, title: string): Task {
  const read = readTask({ id, title, description: "Add a form." });
  if (!("task" in read)) throw new Error(JSON.stringify(read.problems));
  return newTask(read.task, 1);
}

const settings = settingsSchema.parse({});
const tasks = [task("sign-in", "Sign in"), task("sign-out", "Sign out of every browser that was used before")];
const linesIn = (width: number | null): string[] =>
  taskTable(tasks, { directory: "/p", settings, width })
    .split("\n")
    .filter((line) => !line.includes("max "));

it("ralph task list has one line per task in a pipe and where it fits (S2-53)", () => {
  expect(linesIn(200)).toEqual(linesIn(null));
  expect(linesIn(null)[2]).toMatch(
    /^sign-out .* - +Sign out of every browser that was used before \(no completion criteria\)$/,
  );
});

it("ralph task list puts titles below their tasks where a terminal would break them (S2-53)", () => {
  expect(linesIn(60)).toEqual([
    "TASK      STATUS  ROLE  ITERATIONS  PRIORITY  WAITS FOR",
    "  TITLE",
    expect.stringMatching(/^sign-in +ready +- +0\/\d+ +\d+ +-$/),
    "  Sign in (no completion criteria)",
    expect.stringMatching(/^sign-out +ready/),
    "  Sign out of every browser that was used before (no",
    "    completion criteria)",
    "",
  ]);
});

it("ralph task list names no limit that a task started again has passed (S2-53)", () => {
  const again = { ...task("sign-in", "Sign in"), iteration: 9_999 };
  expect(taskTable([again], { directory: "/p", settings, width: null })).toMatch(/^sign-in +ready +- +9999 +\d/m);
});
