import { openDependencies } from "../../../core/tasks/check-dependencies.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { displayWidth } from "../terminal/display-width.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { iterationsMax, taskJson } from "../../../app/query/task-json.ts";

/** `ralph task list`: the highest priority first. */
export default async function list({ options }: Input): Promise<number> {
  const directory = projectDirOption(options);
  const machine = await wireStore();
  const tasks = await machine.store.listTasks(directory);
  await machine.store.close();
  process.stdout.write(
    isOn(options, "json")
      ? jsonLine({ tasks: tasks.map((task) => taskJson(task, tasks)) })
      : taskTable(tasks, directory),
  );
  return 0;
}

/** A line for each task. */
function taskTable(tasks: readonly Task[], directory: string): string {
  if (tasks.length === 0) return `No tasks in ${cleanLine(directory)} yet. Add some: ralph task import FILE\n`;
  const head = ["TASK", "STATUS", "ROLE", "ITERATIONS", "PRIORITY", "WAITS FOR", "TITLE"];
  const rows = [head, ...tasks.map((task) => rowOf(task, tasks))];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function rowOf(task: Task, tasks: readonly Task[]): string[] {
  const waitsFor = task.status === "ready" ? openDependencies(task, tasks) : [];
  return [
    cleanLine(task.id),
    task.status === "ready" && waitsFor.length > 0 ? "waiting" : task.status,
    task.progress?.role ?? "-",
    `${task.iteration}/${iterationsMax(task)}`,
    String(task.priority),
    waitsFor.length === 0 ? "-" : cleanLine(waitsFor.join(", ")),
    cleanLine(task.title) + (task.completion === null ? " (no completion criteria)" : ""),
  ];
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}
