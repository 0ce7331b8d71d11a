import { createHash } from "node:crypto";

/** What a commit changed, what it may run, and its hash. `changed` is null when git cannot tell. */
export type Commit = {
  hash: string;
  changed: readonly string[] | null;
  faults: readonly { name: string; file: string }[];
};

/** Which long tests a commit runs: drawn shares of everything and, beside them, what its changes concern. */
export type CommitChoice = {
  /** A number that only the commit decides; it chooses shares and seeds. */
  drawn: number;
  /** Faults of the changed folders; at most `faultsMax`. */
  faults: string[];
  concerns(pattern: RegExp): boolean;
};

/** Two jobs need about three minutes for so many: `.ci/run` has to end within twenty. */
export const faultsMax = 40;

/** The same commit chooses the same tests everywhere, the next one others. */
export function chooseByCommit({ hash, changed, faults }: Commit): CommitChoice {
  const drawn = Number.parseInt(hash.slice(0, 6), 16) || 0;
  const folders = new Set((changed ?? []).map(folderOf));
  const isConcerned = (fault: { name: string; file: string }): boolean =>
    folders.has(folderOf(fault.file)) || (changed ?? []).includes(`tests/faults/${fault.name}`);
  return {
    drawn,
    faults: drawMany(
      hash,
      faults.filter(isConcerned).map(({ name }) => name),
    ),
    // Where git cannot tell what changed, everything may have.
    concerns: (pattern) => changed === null || changed.some((path) => pattern.test(path)),
  };
}

/** Too many are drawn by the commit, so that a run of commits tries them all. */
function drawMany(hash: string, names: string[]): string[] {
  const rank = (name: string): string => createHash("sha256").update(`${hash} ${name}`).digest("hex");
  const ranked = names
    .map((name) => ({ name, rank: rank(name) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  return ranked
    .slice(0, faultsMax)
    .map(({ name }) => name)
    .toSorted();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
