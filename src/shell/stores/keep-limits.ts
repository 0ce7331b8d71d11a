/** How much is kept: `store.keep` of the settings. */
export type KeepLimits = { days: number; bytesMax: number };

/** Runs that ended before this moment go: the old ones, or any ended one while the store is too large. */
export function latestEnd(keep: KeepLimits, now: number, bytes: number): number {
  return bytes > keep.bytesMax ? Number.MAX_SAFE_INTEGER : now - keep.days * dayMs;
}

/**
 * Blobs no run refers to go when they were put before this moment: a blob is put before the step that refers to it,
 * and a day is longer than any such gap.
 */
export function latestPut(keep: KeepLimits, now: number): number {
  return now - Math.min(keep.days, 1) * dayMs;
}

const dayMs = 24 * 3_600_000;
