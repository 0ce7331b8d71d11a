import { isObject } from "../../text/is-object.ts";
import { isCount, isReviewStatus } from "./read-task-file.ts";
import type { KnownFile, TaskFile } from "./task-file.ts";

/** The review fields of every task before a turn, as `.ralph-active` carries them (S4-12, S4-14). */
export type Snapshot = Record<string, { passes: boolean; reviewStatus: string | null; reviewCount: number }>;

/** What a stop hook must know about the file before the turn. */
export function snapshotOf(file: TaskFile): Snapshot {
  return Object.fromEntries(
    file.tasks.map(({ id, passes, reviewStatus, reviewCount }) => [id, { passes, reviewStatus, reviewCount }]),
  );
}

/** Reads a snapshot that anybody may have written. Null: missing or invalid; `{}` is valid (CW-4C). */
export function readSnapshot(value: unknown): KnownFile | null {
  if (!isObject(value)) return null;
  const tasks = Object.entries(value).flatMap(([id, entry]) => {
    if (!isObject(entry)) return [];
    const { passes, reviewStatus, reviewCount } = entry;
    const isValid = typeof passes === "boolean" && isReviewStatus(reviewStatus) && isCount(reviewCount);
    return isValid ? [{ id, passes, reviewStatus, reviewCount }] : [];
  });
  return tasks.length === Object.keys(value).length ? { tasks } : null;
}
