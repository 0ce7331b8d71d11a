import { isObject } from "../text/is-object.ts";
import { checkDependencies } from "./check-dependencies.ts";
import { nameOf } from "./criteria/document-fields.ts";
import { editTask, newTask } from "./edit-task.ts";
import { readTask } from "./read-task.ts";
import type { Task, TaskDefinition } from "./task.ts";
import { isSameTask } from "./write-task.ts";

/** The documents of one file: each is one task, a list of tasks, or an object with `task` or `tasks`. */
export type TaskSource = { name: string; documents: unknown[] };

/** One problem and its place. */
export type TaskProblem = { source: string; task: string | null; path: string; message: string };

/** What to store in one transaction, and what to report. */
export type ImportPlan = {
  /** `expected` is the `updatedAt` of the task that is replaced. */
  writes: { task: Task; expected: number | null }[];
  added: string[];
  replaced: string[];
  /** Already stored, word for word. */
  unchanged: string[];
  warnings: string[];
};

export type ImportOptions = { stored: readonly Task[]; isReplacing: boolean; at: number };

/** Tasks of one import; more are a mistake. */
const tasksMax = 1000;

/** Reads all sources and validates them together with the stored tasks: a plan, or every problem. */
export function planImport(
  sources: readonly TaskSource[],
  options: ImportOptions,
): ImportPlan | { problems: TaskProblem[] } {
  const found = sources.flatMap(({ name, documents }) => documents.flatMap((document) => tasksIn(name, document)));
  if (found.length > tasksMax) return { problems: [tooMany(found.length)] };
  const read = found.map(readFound);
  const problems = read.flatMap((each) => ("problems" in each ? each.problems : []));
  const given = read.flatMap((each) => ("task" in each ? [each] : []));
  if (found.length === 0) problems.push(noTasks(sources));
  problems.push(...repeated(given));
  // Without an unreadable task, the tasks that depend on it would look wrong.
  if (problems.length === 0) problems.push(...dependencyProblems(given, options.stored));
  if (problems.length === 0 && !options.isReplacing) problems.push(...alreadyStored(given, options.stored));
  return problems.length > 0 ? { problems } : planOf(given, options);
}

/** One line for people: file, task, path and problem. */
export function taskProblemLine({ source, task, path, message }: TaskProblem): string {
  return [source, ...(task === null ? [] : [`task ${task}`]), ...(path === "" ? [] : [path]), message].join(": ");
}

type Found = { source: string; place: string; value: unknown; beside: string[] };
type Given = { source: string; task: TaskDefinition };

function tasksIn(source: string, document: unknown): Found[] {
  const list = isObject(document) && Object.hasOwn(document, "tasks") ? document["tasks"] : document;
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) return [foundIn(source, "", list)];
  return list.map((value: unknown, index) => foundIn(source, `tasks[${index}]`, value));
}

/** A task may stand under `task:`. What stands beside it is named, since it would change nothing and nobody would notice. */
function foundIn(source: string, place: string, value: unknown): Found {
  if (!isObject(value) || !isObject(value["task"]) || Object.hasOwn(value, "id"))
    return { source, place, value, beside: [] };
  const { task, ...others } = value;
  return { source, place, value: task, beside: Object.keys(others) };
}

function readFound({ source, place, value, beside }: Found): Given | { problems: TaskProblem[] } {
  const read = readTask(value);
  const astray = beside.map((path) => ({ source, task: null, path, message: "stands beside task: put it below task" }));
  if ("task" in read) return astray.length > 0 ? { problems: astray } : { source, task: read.task };
  const id = isObject(value) && typeof value["id"] === "string" ? value["id"] : null;
  const prefix = id === null && place !== "" ? place : "";
  return {
    problems: read.problems.map(({ path, message }) => ({
      source,
      task: id,
      path: [prefix, path].filter((each) => each !== "").join("."),
      message,
    })),
  };
}

function tooMany(count: number): TaskProblem {
  return { source: "import", task: null, path: "", message: `${count} tasks; at most ${tasksMax} at a time` };
}

function noTasks(sources: readonly TaskSource[]): TaskProblem {
  const source = sources.map(({ name }) => name).join(", ");
  return { source, task: null, path: "", message: "there is no task in it" };
}

function repeated(given: readonly Given[]): TaskProblem[] {
  return given.flatMap(({ source, task }, index) => {
    const first = given.findIndex((each) => each.task.id === task.id);
    if (first === index) return [];
    const message = `${nameOf(task.id)} is the id of another task too (${given[first]?.source ?? ""})`;
    return [{ source, task: task.id, path: "id", message }];
  });
}

function dependencyProblems(given: readonly Given[], stored: readonly Task[]): TaskProblem[] {
  const tasks = given.map(({ task }) => task);
  const kept = stored.filter(({ id }) => !tasks.some((task) => task.id === id));
  return checkDependencies(tasks, [...tasks, ...kept]).map(({ id, message }) => ({
    source: given.find(({ task }) => task.id === id)?.source ?? "store",
    task: id,
    path: "dependencies",
    message,
  }));
}

function alreadyStored(given: readonly Given[], stored: readonly Task[]): TaskProblem[] {
  return given.flatMap(({ source, task }) => {
    const former = stored.find(({ id }) => id === task.id);
    if (former === undefined || isSameTask(former, task)) return [];
    return [{ source, task: task.id, path: "id", message: "there is already another task of this id" }];
  });
}

function planOf(given: readonly Given[], { stored, at }: ImportOptions): ImportPlan {
  const plan: ImportPlan = { writes: [], added: [], replaced: [], unchanged: [], warnings: [] };
  for (const { source, task } of given) {
    const former = stored.find(({ id }) => id === task.id);
    if (task.completion === null) plan.warnings.push(missingCompletion(source, task.id));
    if (task.other !== undefined) plan.warnings.push(onlyKept(source, task.id, Object.keys(task.other)));
    if (former === undefined) {
      plan.added.push(task.id);
      plan.writes.push({ task: newTask(task, at), expected: null });
    } else if (isSameTask(former, task)) plan.unchanged.push(task.id);
    else {
      plan.replaced.push(task.id);
      plan.writes.push({ task: editTask(former, task, at), expected: former.updatedAt });
    }
  }
  return plan;
}

function missingCompletion(source: string, id: string): string {
  return `${source}: task ${id} has no completion; default criteria will be used, and its runs say so.`;
}

function onlyKept(source: string, id: string, keys: readonly string[]): string {
  return `${source}: task ${id} has fields that ralph keeps and does not use: ${keys.join(", ")}.`;
}
