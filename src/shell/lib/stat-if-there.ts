import { type BigIntStats, lstatSync, type Stats, statSync } from "node:fs";

/**
 * What a path leads to, or null when nothing is there, also when a parent of it is a file. Before Node 22
 * `throwIfNoEntry: false` still throws on such a parent, and hooks run on Node 18.
 */
export function statIfThere(path: string): Stats | null {
  return unlessMissing(() => statSync(path));
}

/** The same without following a link at the end of the path. */
export function lstatIfThere(path: string): Stats | null {
  return unlessMissing(() => lstatSync(path));
}

/** The same with times to the nanosecond. */
export function lstatExactly(path: string): BigIntStats | null {
  return unlessMissing(() => lstatSync(path, { bigint: true }));
}

function unlessMissing<Found>(look: () => Found): Found | null {
  try {
    return look();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
