import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBytesFile, textBytesMax } from "../lib/read-text-file.ts";
import { commitRest, type LookAtTask } from "./commit-rest.ts";
import type { WorkGit } from "./git-tool.ts";
import { describeFailure } from "../git/run-tool.ts";
import type { MergeTrees } from "../git/trees/merged-tree.ts";
import { commitOf } from "./undo-merge.ts";
import type { Worktree } from "./worktrees.ts";

/** What is merged, into which branch of which work tree. */
export type MergeRequest = { projectDir: string; into: string; worktree: Worktree; title: string };

/** Who merges. */
export type MergeTools = { git: WorkGit; lookAtTask: LookAtTask; mergeTrees: MergeTrees };

/**
 * Brings a task's branch into the branch the work started from. Null: merged. Else why not; then nothing has changed in
 * the main work tree, and nothing of the task's is lost.
 */
export async function mergeTask(tools: MergeTools, request: MergeRequest): Promise<string | null> {
  const { git } = tools;
  const unsaved = await commitRest(tools, request);
  if (unsaved !== null) return unsaved;
  const { projectDir, worktree } = request;
  const isIn = await git(projectDir, "merge-base", "--is-ancestor", worktree.branch, "HEAD");
  const obstacle = await findObstacle(git, request);
  if (isIn.exitCode === 0 && obstacle?.isOfBranch !== true) return null;
  if (obstacle !== null) return obstacle.why;
  const ours = await commitOf(git, projectDir, "HEAD");
  const theirs = await commitOf(git, projectDir, `refs/heads/${worktree.branch}`);
  if (ours === null || theirs === null) return `the branch ${worktree.branch} has no commit.`;
  const merged = await tools.mergeTrees({ ours, theirs });
  if (merged === null) return `${projectDir} is not a git repository any more.`;
  if ("conflicts" in merged) return `it conflicts in ${merged.conflicts.join(", ")}.`;
  const parents = ["-p", ours, "-p", theirs];
  const made = await git(projectDir, "commit-tree", merged.tree, ...parents, "-m", request.title);
  if (made.exitCode !== 0) return describeFailure("git commit-tree", made);
  const putBack = await stepAside(git, request);
  // Unlike `git merge`, which a setting can turn into another merge, it checks out this very commit or nothing.
  const moved = await git(projectDir, "reset", "--quiet", "--keep", made.stdout.trim());
  if (moved.exitCode === 0) return null;
  await putBack();
  return describeFailure("git reset", moved);
}

/** Ours in every work tree, so an agent that commits everything commits it, too. */
const ownIgnoreFile = ".ralph/.gitignore";

/** Git does not merge over a file it does not know, not even the same one; ours makes room. */
async function stepAside(git: WorkGit, { projectDir, worktree }: MergeRequest): Promise<() => Promise<void>> {
  const nothing = (): Promise<void> => Promise.resolve();
  const path = join(projectDir, ownIgnoreFile);
  const isKnown = (await git(projectDir, "ls-files", "--error-unmatch", "--", ownIgnoreFile)).exitCode === 0;
  const theirs = await git(projectDir, "rev-parse", "--verify", "--quiet", `${worktree.branch}:${ownIgnoreFile}`);
  if (isKnown || theirs.exitCode !== 0) return nothing;
  const ours = await git(projectDir, "hash-object", "--", ownIgnoreFile);
  if (ours.stdout !== theirs.stdout) return nothing;
  const content = readBytesFile(path, { bytesMax: textBytesMax, links: "refuse" });
  if (content === null) return nothing;
  await rm(path);
  return () => writeFile(path, content);
}

/** What stands in the way in the main work tree, which belongs to a person: looked at, never moved. */
async function findObstacle(
  git: WorkGit,
  { projectDir, into, worktree }: MergeRequest,
): Promise<{ why: string; isOfBranch: boolean } | null> {
  const head = await git(projectDir, "symbolic-ref", "--quiet", "--short", "HEAD");
  if (head.stdout.trim() !== into)
    return { why: `${projectDir} is no longer on the branch ${into}.`, isOfBranch: true };
  const merge = await git(projectDir, "rev-parse", "--verify", "--quiet", "MERGE_HEAD");
  if (merge.exitCode === 0) return { why: `a merge is under way in ${projectDir}.`, isOfBranch: false };
  const brought = await git(projectDir, "diff", "--name-status", "--no-renames", "-z", `HEAD...${worktree.branch}`);
  const dirty = await git(projectDir, "diff", "--name-only", "-z", "HEAD");
  const changes = changesOf(brought.stdout);
  const added = changes.flatMap(({ status, path }) => (status === "A" ? [path] : []));
  const unknown = await findUnknown(git, projectDir, added);
  if (unknown.length > 0) {
    const names = unknown.slice(0, namesMax).join(", ");
    return { why: `${names} in ${projectDir} is not known to git and would be overwritten.`, isOfBranch: false };
  }
  const staged = pathsOf((await git(projectDir, "diff", "--cached", "--name-only", "-z", "HEAD")).stdout);
  if (staged.length > 0) {
    const names = staged.slice(0, namesMax).join(", ");
    return { why: `${names} in ${projectDir} is staged: commit it, or take it back by git reset.`, isOfBranch: false };
  }
  const own = new Set(pathsOf(dirty.stdout));
  const both = changes.map(({ path }) => path).filter((path) => own.has(path));
  if (both.length === 0) return null;
  return { why: `${both.join(", ")} in ${projectDir} has changes that are not committed.`, isOfBranch: false };
}

/** Names shown of what is in the way. */
const namesMax = 5;

/** Files git does not track, ignored ones too, where the branch brings one of its own. */
async function findUnknown(git: WorkGit, projectDir: string, added: readonly string[]): Promise<string[]> {
  const wanted = new Set(added.filter((path) => path !== ownIgnoreFile));
  if (wanted.size === 0) return [];
  const others = await git(projectDir, "ls-files", "--others", "-z");
  return pathsOf(others.stdout).filter((path) => wanted.has(path));
}

/** Pairs of a letter and a path, as `--name-status -z` prints them. */
function changesOf(list: string): { status: string; path: string }[] {
  const fields = pathsOf(list);
  return fields.flatMap((path, at) => (at % 2 === 0 ? [] : [{ status: fields[at - 1] ?? "", path }]));
}

function pathsOf(list: string): string[] {
  return list.split("\0").filter((path) => path !== "");
}
