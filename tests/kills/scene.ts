import type { ScratchProject } from "../run/scratch-project.ts";

/** A run that can be started, struck and resumed, and what it must leave in the end. */
export type Scene = {
  project: ScratchProject;
  /** The words that start the run; its journal entries come as lines of JSON. */
  start: string[];
  /** The words that resume it. */
  resume: string[];
  /** What a further run in the same place is started with, to see that nothing holds the place. */
  again: string[];
  /** Processes that may stay after a signal; a resume waits for them. */
  staying?(): number[];
  /** What this kind of run leaves; the same for each run of it, however often it was struck. */
  facts(): Promise<Record<string, unknown>>;
};

/** Opens a scene of one kind; `atEnd` takes what closes it. */
export type OpenScene = (atEnd: (close: () => Promise<void>) => void) => Promise<Scene>;

/** Subjects of all commits of the branch, in the order of the alphabet: tasks at once merge in any order. */
export function subjectsOf(project: ScratchProject): string[] {
  return project.git("log", "--format=%s").trim().split("\n").toSorted();
}

/** The files of the last commit with their contents' hashes, and what stands beside it. */
export function treeOf(project: ScratchProject): Record<string, unknown> {
  return {
    committed: filesOf(project),
    notCommitted: project.git("status", "--porcelain").trim(),
    branches: project.git("branch", "--list", "--format=%(refname:short)").trim().split("\n"),
    worktrees: project.git("worktree", "list", "--porcelain").match(/^worktree .*$/gm)?.length ?? 0,
    stashes: project.git("stash", "list"),
  };
}

/** The settings name the scratch folder, which differs. */
function filesOf(project: ScratchProject): string[] {
  const files = project.git("ls-tree", "-r", "--format=%(path) %(objectname)", "HEAD").trim().split("\n");
  return files.filter((line) => !line.startsWith(".ralph/"));
}
