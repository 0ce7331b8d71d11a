import { isObject } from "../text/is-object.ts";
import { type Fields, nameOf, openFields, type Problem } from "./criteria/document-fields.ts";
import { readCompletionSpec } from "./criteria/read-completion-spec.ts";
import { otherFieldProblem } from "./other-fields.ts";
import type { TaskDefinition } from "./task.ts";

/** The priority of a task that names none; 1 is the highest. */
export const priorityDefault = 3;

/** The keys of a task in a document, with the other names that a whole task has. */
const taskKeys = [
  "id",
  "spec",
  "spec_id",
  "title",
  "description",
  "priority",
  "dependencies",
  "assignee",
  "metadata",
  "completion",
  "completion_spec",
];

/** Ids are used in folder names, branches and command lines. */
const idShape = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;
const lineCharsMax = 500;
/** A description goes into every prompt; this is a long one. */
const descriptionCharsMax = 64 * 1024;
/** Of metadata and of other fields. */
const keptCharsMax = 64 * 1024;
const priorityMax = 1000;
const dependenciesMax = 100;

/**
 * Reads one task definition from a document (S2-51) and returns every problem at once, each with its path. A task without
 * `completion` is accepted; one with an incomplete `completion` is refused. Fields that change nothing here are kept.
 */
export function readTask(value: unknown): { task: TaskDefinition } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const fields = openFields(value, { path: "", known: taskKeys, problems, otherProblem: otherFieldProblem });
  if (fields === null || !isObject(value)) return { problems };
  const specKey = oneOf(fields, "spec", "spec_id");
  const other = readOther(fields, value);
  const task: TaskDefinition = {
    id: readId(fields) ?? "",
    spec: readText(fields, specKey, lineCharsMax),
    title: fields.needText("title", lineCharsMax) ?? "",
    description: readText(fields, "description", descriptionCharsMax),
    priority: fields.integer("priority", { min: 1, max: priorityMax }) ?? priorityDefault,
    dependencies: readDependencies(fields),
    assignee: readText(fields, "assignee", lineCharsMax) || null,
    metadata: readMetadata(fields),
    completion: readCompletion(fields, problems),
    ...(Object.keys(other).length === 0 ? {} : { other }),
  };
  return problems.length > 0 ? { problems } : { task };
}

/** Which of two names of one field is used. */
function oneOf(fields: Fields, name: string, alias: string): string {
  const has = (key: string): boolean => (fields.value(key) ?? null) !== null;
  if (has(name) && has(alias)) fields.problem(alias, `is another name of ${name}; give one of them`);
  return has(alias) ? alias : name;
}

function readOther(fields: Fields, value: Record<string, unknown>): Record<string, unknown> {
  const other = Object.fromEntries(Object.entries(value).filter(([key]) => !taskKeys.includes(key)));
  const [first = ""] = Object.keys(other);
  if (JSON.stringify(other).length > keptCharsMax)
    fields.problem(first, `the fields that are only kept are larger than ${keptCharsMax} characters`);
  return other;
}

function readId(fields: Fields): string | null {
  const id = fields.needText("id", lineCharsMax);
  if (id === null || isTaskId(id)) return id;
  return fields.problem("id", `${nameOf(id)} is not a task id: ${idRule}`);
}

const idRule = "use up to 64 letters, digits, - _ and single dots inside, beginning with a letter or digit";

/** Whether a text can be the id of a task. */
export function isTaskId(id: string): boolean {
  return idShape.test(id) && !id.includes("..") && !id.endsWith(".lock");
}

/** A text that may be empty or absent. */
function readText(fields: Fields, key: string, charsMax: number): string {
  return fields.value(key) === "" ? "" : (fields.text(key, charsMax) ?? "");
}

function readDependencies(fields: Fields): string[] {
  const items = fields.list("dependencies", dependenciesMax);
  return items.flatMap((item, index) => {
    const key = `dependencies[${index}]`;
    if (typeof item !== "string" || !isTaskId(item)) {
      fields.problem(key, `must be the id of a task, not ${nameOf(item)}`);
      return [];
    }
    if (items.indexOf(item) !== index) fields.problem(key, `names ${item} a second time`);
    return [item];
  });
}

function readMetadata(fields: Fields): Record<string, unknown> {
  const value = fields.value("metadata");
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return fields.problem("metadata", `must be an object, not ${nameOf(value)}`) ?? {};
  const json = JSON.stringify(value);
  if (json.length > keptCharsMax) return fields.problem("metadata", `is larger than ${keptCharsMax} characters`) ?? {};
  return value;
}

function readCompletion(fields: Fields, problems: Problem[]): TaskDefinition["completion"] {
  const key = oneOf(fields, "completion", "completion_spec");
  const value = fields.value(key);
  if (value === undefined || value === null) return null;
  const read = readCompletionSpec(value);
  if ("spec" in read) return read.spec;
  for (const { path, message } of read.problems) problems.push({ path: path === "" ? key : `${key}.${path}`, message });
  return null;
}
