/**
 * Where the work of a run is when that is another branch than at its start; null when it is not. Both are what `HEAD` says: a
 * branch, or a commit where it is detached; null when nobody knows.
 */
export function movedHead(start: string | null, now: string | null): string | null {
  if (start === null || now === null) return null;
  const [former, branch] = [branchOf(start), branchOf(now)];
  if (former === branch) return null;
  const began = former === null ? "on no branch" : `on branch ${former}`;
  if (branch !== null) return `The work is on branch ${branch}; the run began ${began}.`;
  return `The work is on no branch, at commit ${now}; the run began ${began}. Keep it: git branch NAME ${now}`;
}

/** Null where `HEAD` is detached. */
function branchOf(head: string): string | null {
  return /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1] ?? null;
}
