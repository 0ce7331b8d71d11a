/** A work tree and the candidate in it, as far as links are concerned. Paths count from the top; the top itself is empty. */
export type LinkedTree = {
  /** What the link at a path says; null for everything that is not a link. */
  linkAt: (path: string) => string | null;
  /** Whether the candidate holds what stands at a path: a file, a link, or a folder with something in it. */
  holds: (path: string) => boolean;
  /** Whether anything stands at a path in the work tree. */
  isThere: (path: string) => boolean;
};

/** Links that are followed one after another; the kernel follows as many. */
const hopsMax = 40;

/**
 * Whether a checkout of the candidate gives what the checks found at a path, through all links on the way: the end and each
 * link are part of the candidate, or nothing stands there at all. A way out of the work tree leads elsewhere for everybody.
 */
export function leadsToCandidate(tree: LinkedTree, path: string): boolean {
  const pending = path.split("/");
  const at: string[] = [];
  let hops = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (at.pop() === undefined) return false;
      continue;
    }
    at.push(name);
    const here = at.join("/");
    const target = tree.linkAt(here);
    if (target === null) continue;
    if (target.startsWith("/") || !tree.holds(here)) return false;
    // A circle leads nowhere, in a checkout too.
    if (++hops > hopsMax) return true;
    at.pop();
    pending.unshift(...target.split("/"));
  }
  const end = at.join("/");
  return end === "" || tree.holds(end) || !tree.isThere(end);
}
