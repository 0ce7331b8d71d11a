import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { online } from "../git-environment.ts";
import { configVariables, contentConfig, mergeConfig, promisorConfig } from "../repository-config.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure, type ToolEnd } from "../run-tool.ts";
import { makePassingFolder } from "../../lib/passing-folder.ts";

/** Two commits to bring together. */
export type Merged = { ours: string; theirs: string };

/** What a merge comes to: its tree, in the repository of the user, or the paths in which it conflicts. */
export type MergedTree = { tree: string } | { conflicts: string[] };

/** Merges two commits of the main work tree. Null: it is no repository any more. Rejects when git cannot tell. */
export type MergeTrees = (merged: Merged) => Promise<MergedTree | null>;

/**
 * Merges two commits beside every work tree: neither the configuration of the repository nor its attributes, its index or
 * what a merge left behind there has a say, only how the user had set up merges before the first turn. Rejects when git
 * cannot tell.
 */
export async function mergedTree(context: StoreContext, { ours, theirs }: Merged): Promise<MergedTree> {
  const folder = makePassingFolder("git");
  try {
    const call = callerIn(context, folder);
    // Descent is read from the commits; where a shallow clone ends is known from before the first turn.
    const bases = await call("merge-base", "--all", ours, theirs);
    if (bases.exitCode !== 0) throw new Error(`${ours} and ${theirs} have no commit in common`);
    expectDone("git read-tree", await call("read-tree", ours));
    const merging = await call("merge-recursive", ...bases.stdout.split("\n"), "--", ours, theirs);
    const unmerged = expectDone("git ls-files", await call("ls-files", "--unmerged", "-z"));
    const conflicts = new Set(unmerged.stdout.split("\0").flatMap((line) => /\t([^]+)$/.exec(line)?.[1] ?? []));
    if (conflicts.size > 0) return { conflicts: [...conflicts] };
    expectDone("git merge-recursive", merging);
    return { tree: expectDone("git write-tree", await call("write-tree")).stdout.trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Call = (...words: string[]) => Promise<ToolEnd>;

/** Git with our own configuration and an index and a work tree that nobody else knows; objects go to the user's repository. */
function callerIn({ git, store }: StoreContext, folder: string): Call {
  const { config, repository } = store.start;
  // The work tree is never looked at, so no filter needs to run.
  const content = contentConfig(config).filter(({ key }) => key.startsWith("core."));
  const promises = promisorConfig(config);
  const settings = [...content, ...mergeConfig(config), ...promises].map(({ key, value }) => [key, value] as const);
  const files = join(folder, "files");
  mkdirSync(files);
  const env = {
    ...store.env,
    ...configVariables(settings),
    ...(promises.length > 0 ? online : {}),
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(folder, "index"),
    GIT_OBJECT_DIRECTORY: join(repository.commonDir, "objects"),
  };
  return (...words) => git(words, { env, directory: files });
}

function expectDone(what: string, end: ToolEnd): ToolEnd {
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(what, end));
  return end;
}
