import { isWorthKeeping } from "../../core/policies/ignored-files.ts";
import { candidateTree } from "../git/trees/candidate.ts";
import { changesSince } from "../git/trees/changes-since.ts";
import { ignoredSince } from "../git/trees/ignored-since.ts";
import type { LookAtTask } from "./commit-rest.ts";
import type { Worktree } from "./worktrees.ts";

/** Names shown of what a work tree holds. */
const namesMax = 5;

/**
 * Why the work tree of a merged task stays: it holds files that no commit has, and that git ignored by rules of the task's
 * own. Null: nothing is lost with it. `start` is the commit that the work run began with.
 */
export async function whyKept(
  lookAtTask: LookAtTask,
  worktree: Worktree,
  start: string | null,
): Promise<string | null> {
  const look = await lookAtTask(worktree, async (store) => {
    const candidate = await candidateTree(store, { stage: "all", untrackedAtStart: null });
    const changes = await changesSince(store, start, candidate.tree);
    return (await ignoredSince(store, { candidate, changes })).filter(isWorthKeeping).map(({ path }) => path);
  });
  const paths = look?.result ?? [];
  if (paths.length === 0) return null;
  const more = paths.length > namesMax ? ` and ${paths.length - namesMax} more` : "";
  const names = `${paths.slice(0, namesMax).join(", ")}${more}`;
  const remove = `git worktree remove --force ${worktree.path} && git branch -D ${worktree.branch}`;
  return `${worktree.path} is kept, because no commit has ${names}. Copy what you need, then: ${remove}`;
}
