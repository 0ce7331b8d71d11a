/**
 * What a word of the command line asks to verify. `base` null: where the work parted from the upstream's default branch;
 * `isMergeBase`: not `base` itself, but where `head` parted from it.
 */
export type VerificationTarget =
  | { kind: "range"; base: string | null; head: string; isMergeBase: boolean }
  | { kind: "run"; id: string };

/** Reads `BASE..HEAD`, `BASE...HEAD`, `BASE..` or the id of a run; nothing means the commits of the present branch. */
export function readTarget(word: string | undefined): VerificationTarget {
  if (word === undefined) return { kind: "range", base: null, head: "HEAD", isMergeBase: false };
  const [whole, base = "", dots = "", head = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(word) ?? [];
  if (whole === undefined) return { kind: "run", id: word };
  const isMergeBase = dots === "...";
  return { kind: "range", base: base === "" ? null : base, head: head === "" ? "HEAD" : head, isMergeBase };
}
