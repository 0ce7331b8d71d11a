import { isObject } from "../text/is-object.ts";
import type { KnownFile, ReviewOptions, ReviewRole } from "./list/task-file.ts";
import { reviewCapDefault } from "./list/task-file.ts";
import { isCount } from "./list/read-task-file.ts";
import { readSnapshot } from "./list/snapshot.ts";

/** What a hook reads from `.ralph-active`: it never opens a gate, it only says what to check. */
export type ActiveReading = {
  /** The run it was written for; null when it names none. */
  run: string | null;
  isDirect: boolean;
  /** The folder of the task list; null when it names none, or none inside the project. */
  ralphDir: string | null;
  role: ReviewRole | null;
  /** Null: missing or unreadable. */
  snapshot: KnownFile | null;
  review: ReviewOptions;
  /** Marks of content by path. Null: unknown, so every difference is the turn's own. */
  dirtyAtStart: ReadonlyMap<string, string> | null;
};

/** Reads `.ralph-active`, which anybody may have written; null when it is not an object. */
export function readActiveFile(text: string): ActiveReading | null {
  const fields = parse(text);
  if (fields === null) return null;
  const { run, mode, ralphDir, iterationMode, preIterationSnapshot, skipReview, reviewCap, dirtyAtStart } = fields;
  return {
    run: typeof run === "string" && run !== "" ? run : null,
    isDirect: mode === "direct",
    ralphDir: isFolderName(ralphDir) ? ralphDir : null,
    role: roles.find((role) => role === iterationMode) ?? null,
    snapshot: readSnapshot(preIterationSnapshot),
    review: {
      isReviewSkipped: skipReview === true,
      reviewCap: isCount(reviewCap) && reviewCap > 0 ? reviewCap : reviewCapDefault,
      // The run decides after the turn what happens at the cap.
      atCap: "hold",
    },
    dirtyAtStart: isObject(dirtyAtStart) ? readMarks(dirtyAtStart) : null,
  };
}

/** Longer than any path a person gives a task list. */
const folderCharsMax = 1000;

/** A relative path that stays below the project; the caller must check links. */
function isFolderName(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.length > folderCharsMax || value.includes("\0")) return false;
  return !/^[/\\]|^[a-z]:/i.test(value) && !value.split(/[/\\]/).includes("..");
}

function readMarks(marks: object): Map<string, string> {
  const entries = Object.entries(marks).flatMap(([path, mark]: [string, unknown]): [string, string][] =>
    typeof mark === "string" ? [[path, mark]] : [],
  );
  return new Map(entries);
}

const roles: readonly ReviewRole[] = ["implement", "review", "review-fix"];

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
