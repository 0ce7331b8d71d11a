import { join } from "node:path";
import { describeFailure } from "../git/run-tool.ts";
import type { StoreContext } from "../git/run-git.ts";
import { candidateTree, differingPaths } from "../git/trees/candidate.ts";
import type { WorkGit } from "./git-tool.ts";
import { commitOf } from "./undo-merge.ts";
import type { Worktree } from "./worktrees.ts";

/** Looks at a work tree by the rules of the time before the first turn. Null: nobody remembers them. */
export type LookAtTask = <Result>(
  worktree: Worktree,
  use: (store: StoreContext) => Promise<Result>,
) => Promise<{ result: Result } | null>;

/** What is committed, and with which words. */
export type RestRequest = { worktree: Worktree; title: string };

/**
 * Commits what the roles of a task left uncommitted: the files that their gates saw, whatever an agent told git to hide
 * or to ignore. Our own files are not part of it. Null: everything is committed. Else why not.
 */
export async function commitRest(
  { git, lookAtTask }: { git: WorkGit; lookAtTask: LookAtTask },
  request: RestRequest,
): Promise<string | null> {
  const { worktree } = request;
  const seen = await lookAtTask(worktree, (store) => commitSeen(git, store, request));
  return seen === null ? commitByGit(git, request) : seen.result;
}

async function commitSeen(
  git: WorkGit,
  store: StoreContext,
  { worktree: { path, branch }, title }: RestRequest,
): Promise<string | null> {
  const head = await git(path, "symbolic-ref", "--quiet", "--short", "HEAD");
  if (head.stdout.trim() !== branch) return `${path} is not on the branch ${branch}.`;
  const rest = await uncommitted(git, store, path);
  if (rest.length === 0) return null;
  const list = join(store.store.folder, "paths");
  await store.disk.writeAtomic(list, rest.map((name) => `:(top,literal)${name}`).join("\0"));
  const calls = [
    // Takes hidden paths back, and whatever stands staged.
    ["read-tree", "HEAD"],
    ["add", "--all", "--force", `--pathspec-from-file=${list}`, "--pathspec-file-nul"],
    ["commit", "--quiet", "-m", title],
  ];
  for (const words of calls) {
    const end = await git(path, ...words);
    if (end.exitCode !== 0) return describeFailure(`git ${words[0] ?? ""}`, end);
  }
  const left = await uncommitted(git, store, path);
  return left.length === 0 ? null : `the commit in ${path} lacks ${left.slice(0, namesMax).join(", ")}.`;
}

/** Names shown of what no commit takes. */
const namesMax = 5;

/** Paths whose content is not that of HEAD, new ones too. */
async function uncommitted(git: WorkGit, store: StoreContext, path: string): Promise<string[]> {
  const head = await commitOf(git, path, "HEAD");
  if (head === null) throw new Error(`${path} has no commit`);
  const { tree } = await candidateTree(store, { stage: "all", untrackedAtStart: null });
  const own = new Set(["", store.store.start.repository.prefix].map((prefix) => `${prefix}.ralph/`));
  const names = await differingPaths(store, head, tree);
  return names.filter((name) => !Array.from(own).some((folder) => name.startsWith(folder)));
}

/** The same where nobody remembers the rules: by those of git itself. */
async function commitByGit(git: WorkGit, { worktree: { path }, title }: RestRequest): Promise<string | null> {
  // An excluded path that the project ignores makes `git add` exit with 1 (seen with 2.39), so ours is taken out afterwards.
  const staged = await git(path, "add", "--all");
  if (staged.exitCode !== 0) return describeFailure("git add", staged);
  const unstaged = await git(path, "reset", "--quiet", "--", ":(top).ralph");
  if (unstaged.exitCode !== 0) return describeFailure("git reset", unstaged);
  const isClean = (await git(path, "diff", "--cached", "--quiet")).exitCode === 0;
  if (isClean) return null;
  const made = await git(path, "commit", "--quiet", "-m", title);
  return made.exitCode === 0 ? null : describeFailure("git commit", made);
}
