import type { Owner } from "../ports.ts";

/** How long a lease lasts for other hosts after it was taken or renewed: three times what passes between two renewals. */
export const leaseMs = 30_000;

/** A held directory: who drives which run in it. */
export type HeldLock = { runId: string; owner: Owner };

/** Tells apart the locks that stand in the way of `run` and those whose driver is dead; both stores go by it. */
export function judgeLocks<Lock extends HeldLock>(
  locks: readonly Lock[],
  run: { parentId: string | null; owner: Owner },
  isAlive: (owner: Owner) => boolean,
): { holder: Lock | null; stale: Lock[] } {
  // `ralph work` drives its role runs itself: its own lock on the same directory is no obstacle to them.
  const isOfParent = (lock: Lock) => lock.runId === run.parentId && isSameOwner(lock.owner, run.owner);
  const others = locks.filter((lock) => !isOfParent(lock));
  const holder = others.find((lock) => isAlive(lock.owner)) ?? null;
  return { holder, stale: holder === null ? others : [] };
}

function isSameOwner(first: Owner, second: Owner): boolean {
  return first.pid === second.pid && first.startTime === second.startTime && first.host === second.host;
}
