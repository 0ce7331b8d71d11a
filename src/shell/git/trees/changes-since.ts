import { emptyTreeOf } from "../own-store.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure } from "../run-tool.ts";

/** A path that differs between a commit and a tree. A mode of zeros: it is not there. */
export type TreeChange = { path: string; mode: string; object: string; formerMode: string; formerObject: string };

/** Mode of a path that is not there. */
export const absentMode = "000000";
/** Mode of a symbolic link. */
export const linkMode = "120000";
/** Mode of a commit of another repository. */
export const moduleMode = "160000";

/** What differs in a tree from the commit, or from nothing where it is null. Rejects when git cannot tell. */
export async function changesSince(
  { git, store }: StoreContext,
  commit: string | null,
  tree: string,
): Promise<TreeChange[]> {
  const words = ["diff-tree", "-r", "-z", "--no-renames", "--raw", commit ?? emptyTreeOf(store.start), tree];
  const end = await git(words, { env: store.env, directory: store.start.repository.top });
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure("git diff-tree", end));
  return parseChanges(end.stdout);
}

/** Reads pairs of `:MODE MODE OBJECT OBJECT STATUS` and a path. */
export function parseChanges(text: string): TreeChange[] {
  const fields = text.split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [formerMode = "", mode = "", formerObject = "", object = ""] = (fields[at] ?? "").slice(1).split(" ");
    changes.push({ path: fields[at + 1] ?? "", mode, object, formerMode, formerObject });
  }
  return changes;
}
