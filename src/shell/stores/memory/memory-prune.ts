import { type KeepLimits, latestEnd, latestPut } from "../keep-limits.ts";
import type { MemoryContents, MemoryRun } from "./memory-contents.ts";

/** Removes old runs, then the oldest ones while the store is too large, with the blobs only they referred to. */
export function pruneMemory(data: MemoryContents, keep: KeepLimits, now: number): string[] {
  const removed: string[] = [];
  for (;;) {
    removeUnusedBlobs(data, latestPut(keep, now));
    const oldest = oldestEnded(data, latestEnd(keep, now, dataBytes(data)));
    if (oldest === null) return removed;
    data.runs.delete(oldest);
    removed.push(oldest);
  }
}

function removeUnusedBlobs(data: MemoryContents, putBefore: number): void {
  const runs = Array.from(data.runs.values());
  for (const [hash, { putAt }] of Array.from(data.blobs))
    if (putAt < putBefore && !runs.some(({ hashes }) => hashes.has(hash))) data.blobs.delete(hash);
}

function oldestEnded(data: MemoryContents, endedBefore: number): string | null {
  const isAtWork = (runId: string | null) => runId !== null && data.runs.get(runId)?.record.endedAt === null;
  const [oldest] = Array.from(data.runs.values(), ({ record }) => record)
    .flatMap(({ id, parentId, owner, endedAt }) =>
      owner !== null || endedAt === null || endedAt >= endedBefore || isAtWork(parentId) ? [] : [{ id, endedAt }],
    )
    .toSorted((first, second) => first.endedAt - second.endedAt || (first.id < second.id ? -1 : 1));
  return oldest?.id ?? null;
}

function dataBytes(data: MemoryContents): number {
  const blobs = Array.from(data.blobs.values(), ({ text }) => text.length);
  return [...Array.from(data.runs.values(), runBytes), ...blobs].reduce((sum, size) => sum + size, 0);
}

function runBytes({ record, journal, events, requests }: MemoryRun): number {
  return JSON.stringify({ record, journal, events, requests }).length;
}
