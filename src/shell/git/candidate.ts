import { join } from "node:path";
import { type CandidateRule, takesNew } from "../../core/policies/candidate.ts";
import type { Disk } from "../ports.ts";
import { runFolders } from "../stores/artefact-path.ts";
import { createGit, type Git, type GitCaller, type GitContext } from "./git.ts";
import { openOwnStore, type OwnStore } from "./own-store.ts";
import { findRepository } from "./repository.ts";
import { describeFailure } from "./run-tool.ts";
import { type StagedTree, stageTree, type StoreContext } from "./stage-tree.ts";

/** A run, as far as its repository is concerned. */
export type RunGitContext = GitContext & { disk: Disk; folder: string };

/** The store of a run and git with it. */
export type RunGit = StoreContext & { git: Git; store: OwnStore };

/** Where the store of a run's own lies: beside its raw streams, so that it is removed with the run. */
export function runStoreFolder(stateFolder: string, runId: string): string {
  return join(stateFolder, runFolders(runId).streams, "git");
}

/**
 * Opens the store of a run; called before the first turn it remembers how the repository stood (`isBeforeTurns`). Null
 * outside git. Rejects when it cannot be written.
 */
export async function openRunGit(
  context: RunGitContext,
  caller: GitCaller,
  order: { isBeforeTurns: boolean; parentRunId?: string | null } = { isBeforeTurns: false },
): Promise<RunGit | null> {
  const { disk, folder, runId } = context;
  const repository = findRepository(disk, context.frozen.projectDir);
  if (repository === null) return null;
  const git = createGit(context, caller);
  const { isBeforeTurns, parentRunId = null } = order;
  const parentFolder = parentRunId === null ? null : runStoreFolder(folder, parentRunId);
  const own = { disk, git, repository, folder: runStoreFolder(folder, runId), isBeforeTurns, parentFolder };
  const store = await openOwnStore(own);
  return { git: createGit(context, { ...caller, repository: store.start.repository }), disk, store };
}

/** The tree of the commit that delivery would make now, and the new files it leaves out. Rejects when git cannot tell. */
export function candidateTree(context: StoreContext, rule: CandidateRule): Promise<StagedTree> {
  return stageTree(context, { index: "candidate", isNewTaken: takesNew(rule), isKnownTaken: () => true });
}

/** The tree of everything in the work tree that is not ignored, whoever made it and whether git knows it or not. */
export function wholeTree(context: StoreContext): Promise<StagedTree> {
  const { prefix } = context.store.start.repository;
  const own = [`${prefix}.ralph/`, `${prefix}.ralph-active`];
  const isKnownTaken = (path: string): boolean => !own.some((name) => path === name || path.startsWith(name));
  return stageTree(context, { index: "look", isNewTaken: () => true, isKnownTaken });
}

/** The tree of HEAD; null before the first commit. */
export async function headTree({ git }: Pick<StoreContext, "git">, directory?: string): Promise<string | null> {
  const words = ["rev-parse", "--verify", "--quiet", "HEAD^{tree}"];
  const end = await git(words, directory === undefined ? {} : { directory });
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

/** Paths that differ between two trees, from the top of the repository. Rejects when git cannot tell. */
export async function differingPaths(
  { git, store }: StoreContext,
  from: string,
  to: string,
  options: readonly string[] = [],
): Promise<string[]> {
  const words = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", ...options, from, to];
  const end = await git(words, { env: store.env, directory: store.start.repository.top });
  if (end.exitCode !== 0) throw new Error(describeFailure("git diff-tree", end));
  return end.stdout.split("\0").filter((path) => path !== "");
}
