/** The review state of a task; null: not submitted yet. */
export type ReviewStatus = (typeof reviewStatuses)[number];
export const reviewStatuses = [null, "needs_review", "changes_requested", "approved"] as const;

/** The agent's role in a turn on a task file. */
export type ReviewRole = "implement" | "review" | "review-fix";

/** The four fields that only certain roles may change, and only in certain ways. */
export type ReviewFields = {
  passes: boolean;
  reviewStatus: ReviewStatus;
  reviewCount: number;
  reviewFeedback: string;
};

/** One task of the file, as the rules see it. The file calls it a user story. */
export type ListedTask = ReviewFields & {
  id: string;
  title: string;
  description: string;
  acceptanceCriteria: string[];
  /** 1 is the highest. */
  priority: number;
  notes: string;
  dependsOn: string[];
  /** The task this one is a part of, which was split and may therefore be gone. */
  splitFrom: string | null;
};

/** Parsed JSON with all fields, also unknown ones. */
export type JsonObject = { readonly [key: string]: unknown };

/** A valid task file: the typed view, and beside it the JSON it was read from, so that writing it back loses nothing. */
export type TaskFile = {
  project: string;
  branchName: string;
  description: string;
  verifyCommands: string[];
  tasks: ListedTask[];
  raw: JsonObject;
};

/**
 * The review settings. After `reviewCap` reviews a task is not sent back again: it is approved with open feedback, or held
 * for a person.
 */
export type ReviewOptions = {
  isReviewSkipped: boolean;
  reviewCap: number;
  /** The flag that gave the cap, for messages; absent: a setting or its default. */
  capFlag?: string;
  atCap: "approve" | "hold";
};

/** The cap as a message names it: with its flag, which is where a person changes it. */
export function shownCap({ reviewCap, capFlag }: Pick<ReviewOptions, "reviewCap" | "capFlag">): string {
  return capFlag === undefined ? String(reviewCap) : `${reviewCap} (${capFlag})`;
}

/** One turn on the file: the agent's role and, if known, the task of the turn. */
export type ReviewTurn = ReviewOptions & { role: ReviewRole; taskId: string | null };

/** What is known of the file before the turn: all of it, or a snapshot of the review fields. */
export type KnownFile = { tasks: readonly KnownTask[]; verifyCommands?: readonly string[] };
export type KnownTask = Pick<ListedTask, "id" | "passes" | "reviewStatus" | "reviewCount"> &
  Partial<Pick<ListedTask, "reviewFeedback" | "acceptanceCriteria" | "splitFrom">>;

/** The default number of reviews per task (S4-06). */
export const reviewCapDefault = 5;

/** The prefix of feedback that is still open when the cap ends the reviews (S4-69). */
export const capPrefix = "[AUTO-APPROVED AT CAP]";

/** A longer list is written without indentation, so that it stays below the limit of the reader. */
const indentedCharsMax = 1024 * 1024;

/** The text of a task file, indented like the text it replaces. */
export function formatTaskFile(file: TaskFile, former = ""): string {
  const indent = /^\{\r?\n([ \t]+)"/.exec(former)?.[1] ?? "  ";
  const text = `${JSON.stringify(file.raw, null, indent)}\n`;
  return text.length > indentedCharsMax ? JSON.stringify(file.raw) : text;
}

/** The file with new values in some fields of its tasks, in the view and in the JSON. */
export function withTasks(file: TaskFile, changed: readonly TaskChange[]): TaskFile {
  const tasks = changed.map(({ task, raw }) => ({ task, raw: { ...raw, ...rawFields(task, raw) } }));
  return {
    ...file,
    tasks: tasks.map(({ task }) => task),
    raw: { ...file.raw, userStories: tasks.map(({ raw }) => raw) },
  };
}

/** A task with the JSON it came from. */
export type TaskChange = { task: ListedTask; raw: JsonObject };

/** Every task of a file with its JSON. */
export function taskChanges(file: TaskFile): TaskChange[] {
  const stories = file.raw["userStories"];
  const raws: unknown[] = Array.isArray(stories) ? stories : [];
  return file.tasks.map((task, index) => ({ task, raw: { ...asObject(raws[index]) } }));
}

/** Fields a repair may write; one that was absent and reads as empty stays absent. */
function rawFields(task: ListedTask, raw: JsonObject): JsonObject {
  const { passes, reviewStatus, reviewCount, reviewFeedback, acceptanceCriteria, notes, splitFrom } = task;
  const fields = { passes, reviewStatus, reviewCount, reviewFeedback, acceptanceCriteria };
  return {
    ...fields,
    ...(raw["notes"] === undefined && notes === "" ? {} : { notes }),
    ...(raw["splitFrom"] === undefined && splitFrom === null ? {} : { splitFrom }),
  };
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
