import type { CompletionSpec } from "../../../core/tasks/criteria/completion-spec.ts";
import type { Task, TaskProgress, TaskStanding, TaskStatus } from "../../../core/tasks/task.ts";
import type { TaskWrite } from "../../task-store.ts";
import { asOwn } from "../../lib/as-own.ts";
import { changedTask, newerTask } from "../refusals.ts";
import { taskChange, writtenAt } from "../task-rule.ts";
import { numberOf, type Sql, type SqlRow, textOf, textOrNull } from "./sql.ts";

/** Stores all of them or none. */
export function putTasks(sql: Sql, directory: string, writes: readonly TaskWrite[]): void {
  sql.transaction(() => {
    for (const { task, expected } of writes) {
      const change = taskChange(getTask(sql, directory, task.id)?.updatedAt ?? null, expected);
      if (change !== null) throw changedTask(task.id, change);
      sql.run("delete from tasks where directory = ? and id = ?", directory, task.id);
      insert(sql, directory, { ...task, updatedAt: writtenAt(expected, task.updatedAt) });
    }
  });
}

/** The task, or null. */
export function getTask(sql: Sql, directory: string, id: string): Task | null {
  const row = sql.get("select * from tasks where directory = ? and id = ?", directory, id);
  return row === null ? null : toTask(row);
}

/** The highest priority first, then the oldest. */
export function listTasks(sql: Sql, directory: string): Task[] {
  return sql.all("select * from tasks where directory = ? order by priority, created_at, id", directory).map(toTask);
}

/** Writes the standing alone, or nothing when the task is not as expected. */
export function updateTask(
  sql: Sql,
  directory: string,
  id: string,
  { expected, at, standing }: { expected: number; at: number; standing: TaskStanding },
): Task | null {
  return sql.transaction(() => {
    const changed = sql.run(
      `update tasks set status = ?, iteration = ?, progress = ?, updated_at = ?
       where directory = ? and id = ? and updated_at = ?`,
      standing.status,
      standing.iteration,
      standing.progress === null ? null : JSON.stringify(standing.progress),
      writtenAt(expected, at),
      directory,
      id,
      expected,
    );
    return changed === 0 ? null : getTask(sql, directory, id);
  });
}

/** Removes the task unless it is not as expected. */
export function removeTask(sql: Sql, directory: string, id: string, expected: number): boolean {
  return sql.run("delete from tasks where directory = ? and id = ? and updated_at = ?", directory, id, expected) > 0;
}

function insert(sql: Sql, directory: string, task: Task): void {
  sql.run(
    `insert into tasks (directory, id, spec, title, description, priority, dependencies, assignee, metadata, completion,
       other, version, status, iteration, progress, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    directory,
    task.id,
    task.spec,
    task.title,
    task.description,
    task.priority,
    JSON.stringify(task.dependencies),
    task.assignee,
    JSON.stringify(task.metadata),
    task.completion === null ? null : JSON.stringify(task.completion),
    task.other === undefined ? null : JSON.stringify(task.other),
    task.version,
    task.status,
    task.iteration,
    task.progress === null ? null : JSON.stringify(task.progress),
    task.createdAt,
    task.updatedAt,
  );
}

/** The version of a task's columns. A change of what they hold raises it, with a step here that lifts older rows. */
const taskShape = 1;

function toTask(row: SqlRow): Task {
  const shape = numberOf(row, "shape");
  if (shape > taskShape) throw newerTask(textOf(row, "id"), { found: shape, known: taskShape });
  const completion = textOrNull(row, "completion");
  const other = textOrNull(row, "other");
  const progress = textOrNull(row, "progress");
  return {
    id: textOf(row, "id"),
    spec: textOf(row, "spec"),
    title: textOf(row, "title"),
    description: textOf(row, "description"),
    priority: numberOf(row, "priority"),
    dependencies: asOwn<string[]>(JSON.parse(textOf(row, "dependencies"))),
    assignee: textOrNull(row, "assignee"),
    metadata: asOwn<Record<string, unknown>>(JSON.parse(textOf(row, "metadata"))),
    completion: completion === null ? null : asOwn<CompletionSpec>(JSON.parse(completion)),
    ...(other === null ? {} : { other: asOwn<Record<string, unknown>>(JSON.parse(other)) }),
    version: numberOf(row, "version"),
    status: asOwn<TaskStatus>(textOf(row, "status")),
    iteration: numberOf(row, "iteration"),
    progress: progress === null ? null : asOwn<TaskProgress>(JSON.parse(progress)),
    createdAt: numberOf(row, "created_at"),
    updatedAt: numberOf(row, "updated_at"),
  };
}
