import { join } from "node:path";
import type { Disk } from "../ports.ts";
import type { Repository } from "./repository.ts";

/** Where a run says that git is about to write the user's index, and whose index that is. */
export type IndexLockContext = {
  disk: Pick<Disk, "look" | "remove" | "writeAtomic">;
  folder: string;
  repository: Repository;
};

/** Why the index cannot be written now; null: nobody holds it. */
export function findLock({ disk, repository }: IndexLockContext): string | null {
  const path = lockPath(repository);
  if (disk.look(path) === null) return null;
  return `${path} exists: another git is running in this repository, or has crashed. When none is running, remove the file: rm '${path}'`;
}

/** Writes the index with a note beside it: a lock that a killed driver leaves is known as ours by that. */
export async function withIndexNote<Result>(context: IndexLockContext, write: () => Promise<Result>): Promise<Result> {
  const note = notePath(context.folder);
  // Without it a lock that is left is taken for a foreign one: a person removes it then.
  await context.disk.writeAtomic(note, "Git writes the index.\n").catch(() => {});
  try {
    return await write();
  } finally {
    context.disk.remove(note);
  }
}

/**
 * Removes the lock that a call of ours left when its driver died; its processes must be gone. Returns the path, or null
 * when there is none: a lock that is older than our call, or met us without one, belongs to somebody else.
 */
export function removeOwnLock({ disk, folder, repository }: IndexLockContext): string | null {
  const note = disk.look(notePath(folder));
  if (note === null) return null;
  disk.remove(notePath(folder));
  const lock = disk.look(lockPath(repository));
  if (lock === null || lock.kind !== "file" || lock.changedAt < note.changedAt) return null;
  disk.remove(lockPath(repository));
  return lockPath(repository);
}

function lockPath({ gitDir }: Repository): string {
  return join(gitDir, "index.lock");
}

function notePath(folder: string): string {
  return join(folder, "index-is-written");
}
