import { isObject } from "../../text/is-object.ts";
import { thrownText } from "../../text/thrown-text.ts";
import { type JsonObject, type ListedTask, type ReviewStatus, reviewStatuses, type TaskFile } from "./task-file.ts";

/** A valid file, or all its problems, each with field and story. */
export type TaskFileReading = { file: TaskFile; problems?: never } | { file?: never; problems: string[] };

/** Check 1 (S4-41..43): whether a text is a task file at all. Unknown fields are kept and mean nothing. */
export function readTaskFile(text: string): TaskFileReading {
  if (text.length > textCharsMax)
    return { problems: [`tasks.json has ${text.length} characters, at most ${textCharsMax} are read`] };
  if (isNestedDeeper(text, nestingMax)) return { problems: [`tasks.json is nested deeper than ${nestingMax} levels`] };
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problems: [parsed.problem] };
  // The rewritten text must be readable too: `1e20` has 4 characters in one text and 21 in another.
  if (JSON.stringify(parsed.value).length > textCharsMax)
    return { problems: [`tasks.json grows beyond ${textCharsMax} characters when it is written back`] };
  if (!isObject(parsed.value)) return { problems: [`tasks.json must be an object, found ${shown(parsed.value)}`] };
  return readObject(parsed.value);
}

/** The same for parsed JSON. */
export function readObject(raw: JsonObject): TaskFileReading {
  const top = ["project", "branchName", "description"].flatMap((field) => textProblem(raw, field, "tasks.json"));
  const commands = raw["verifyCommands"] ?? [];
  if (!isTextList(commands)) top.push(`tasks.json: verifyCommands must be a list of texts, found ${shown(commands)}`);
  const stories = raw["userStories"];
  if (!Array.isArray(stories))
    return { problems: [...top, `tasks.json: userStories must be a list, found ${shown(stories)}`] };
  if (stories.length > tasksMax)
    return { problems: [...top, `tasks.json: userStories has ${stories.length} entries, at most ${tasksMax}`] };
  const entries: unknown[] = stories;
  const problems = [...top, ...entries.flatMap(storyProblems), ...repeatedIds(entries)];
  if (problems.length > 0) return { problems: problems.slice(0, problemsMax) };
  return {
    file: {
      project: textOf(raw, "project"),
      branchName: textOf(raw, "branchName"),
      description: textOf(raw, "description"),
      verifyCommands: textsOf(raw, "verifyCommands"),
      tasks: entries.filter(isObject).map(taskOf),
      raw,
    },
  };
}

/** A list for one night has tens of tasks; a thousand is a mistake or a flood. */
export const tasksMax = 1000;
/** Some hundred kilobytes are a long list with much feedback; beyond two million characters it is not one. */
export const textCharsMax = 2 * 1024 * 1024;
/** A list has four levels; much deeper nesting would overflow the stack when it is written. */
const nestingMax = 64;
/** Enough problems to show; a broken generator repeats one in every story. */
const problemsMax = 50;

function isNestedDeeper(text: string, levelsMax: number): boolean {
  let level = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (isQuoted && letter === "\\") at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === "[" || letter === "{")) level += 1;
    else if (!isQuoted && (letter === "]" || letter === "}")) level -= 1;
    if (level > levelsMax) return true;
  }
  return false;
}

function parseJson(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === "") return { problem: "tasks.json is empty" };
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return { value };
  } catch (error) {
    return { problem: `tasks.json is not JSON: ${thrownText(error)}` };
  }
}

function storyProblems(story: unknown, index: number): string[] {
  if (!isObject(story)) return [`tasks.json: userStories[${index}] must be an object, found ${shown(story)}`];
  const id = story["id"];
  const where = isId(id) ? `Story ${id}` : `Story at userStories[${index}]`;
  const rules: [field: string, isValid: (value: unknown) => boolean, expected: string][] = [
    ["id", isId, `a text of 1 to ${idCharsMax} characters`],
    ["title", isText, "a text"],
    ["description", isAbsentOr(isText), "a text"],
    ["passes", (value) => typeof value === "boolean", "true or false"],
    ["priority", (value) => typeof value === "number" && Number.isFinite(value), "a number"],
    ["acceptanceCriteria", isFilledList, "a non-empty list of texts"],
    ["reviewStatus", isReviewStatus, 'null, "needs_review", "changes_requested" or "approved"'],
    ["reviewCount", isCount, "a whole number of at least 0"],
    ["reviewFeedback", isText, "a text"],
    ["notes", isAbsentOr(isText), "a text"],
    ["dependsOn", isAbsentOr(isIdList), "a list of story ids"],
    ["splitFrom", isAbsentOr(isText), "the id of the story it was split from"],
  ];
  return rules
    .filter(([field, isValid]) => !isValid(story[field]))
    .map(([field, , expected]) => `${where}: ${field} must be ${expected}, found ${shown(story[field])}`);
}

function repeatedIds(stories: readonly unknown[]): string[] {
  const ids = stories.filter(isObject).map((story) => story["id"]);
  const repeated = ids.filter((id, index) => typeof id === "string" && ids.indexOf(id) !== index);
  return [...new Set(repeated)].map((id) => `Story ${String(id)}: id is used more than once; ids must be unique`);
}

function taskOf(story: JsonObject): ListedTask {
  const status = story["reviewStatus"];
  return {
    id: textOf(story, "id"),
    title: textOf(story, "title"),
    description: textOf(story, "description"),
    acceptanceCriteria: textsOf(story, "acceptanceCriteria"),
    priority: Number(story["priority"]),
    passes: story["passes"] === true,
    reviewStatus: isReviewStatus(status) ? status : null,
    reviewCount: Number(story["reviewCount"]),
    reviewFeedback: textOf(story, "reviewFeedback"),
    notes: textOf(story, "notes"),
    dependsOn: textsOf(story, "dependsOn"),
    splitFrom: typeof story["splitFrom"] === "string" ? story["splitFrom"] : null,
  };
}

function textProblem(raw: JsonObject, field: string, where: string): string[] {
  return isText(raw[field]) ? [] : [`${where}: ${field} must be a text, found ${shown(raw[field])}`];
}

/** Whether a value is valid for `reviewStatus`. */
export function isReviewStatus(value: unknown): value is ReviewStatus {
  return reviewStatuses.some((status) => status === value);
}

/** Whether a value is valid for `reviewCount`; `true` and `"1"` are not. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Prompts, file names and commit messages contain the id. */
const idCharsMax = 100;

function isId(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= idCharsMax && !unprintable.test(value);
}

/** Line breaks, NUL, halves of a character, and marks that reverse the text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isIdList(value: unknown): boolean {
  return isTextList(value) && value.length <= tasksMax;
}

function isFilledList(value: unknown): boolean {
  return isTextList(value) && value.length > 0;
}

function isAbsentOr(isValid: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || value === null || isValid(value);
}

function textOf(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === "string" ? value : "";
}

function textsOf(object: JsonObject, field: string): string[] {
  const value = object[field];
  return isTextList(value) ? value : [];
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
