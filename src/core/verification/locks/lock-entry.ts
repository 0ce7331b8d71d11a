/** One version of a package that a lock file pins. */
export type LockEntry = {
  name: string;
  version: string;
  /** Hashes, or where it comes from; null when the file says neither. */
  integrity: string | null;
  /** Names of packages that it loads, where the file says so. */
  dependencies: readonly string[];
};

/** What a lock file pins, or that it cannot be read. */
export type LockFile = { isReadable: boolean; entries: LockEntry[] };
