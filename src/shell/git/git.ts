import type { SharedFiles } from "../ports.ts";
import { gitEnvironment, offline, quietWords } from "./git-environment.ts";
import { findRepository, type Repository, repositoryVariablesOf } from "./repository.ts";
import { runTool, type ToolEnd, type ToolOptions, type ToolContext } from "./run-tool.ts";

/** Where git runs: a run, or a command that needs no run. */
export type GitContext = ToolContext & { disk: SharedFiles };

/** What one call differs in. */
export type GitCall = Pick<ToolOptions, "env" | "directory" | "stdin" | "stdoutBytesMax">;

/**
 * Calls git by argv, without a terminal, hooks, signatures, file system monitors and the network, held to the repository that the
 * directory lies in. It ends with `signal`, after five minutes, or with the run that its turn marker names. Does not reject.
 */
export type Git = (words: readonly string[], call?: GitCall) => Promise<ToolEnd>;

/** Who calls: the turn marker of its processes, what ends them, and the repository where it is known from before. */
export type GitCaller = { turnMarker: string; signal?: AbortSignal; repository?: Repository };

/** The one place that starts git. */
export function createGit(context: GitContext, { turnMarker, signal = never, repository: known }: GitCaller): Git {
  const { projectDir } = context.frozen;
  return (words, call = {}) => {
    const repository = known ?? findRepository(context.disk, call.directory ?? projectDir);
    const env = {
      ...gitEnvironment(context.env, projectFolders(projectDir, repository)),
      ...(repository === null ? {} : repositoryVariablesOf(repository)),
      ...offline,
      ...call.env,
    };
    const order = { ...call, purpose: "git" as const, argv: ["git", ...quietWords, ...words], env, turnMarker, signal };
    return runTool({ ...context, env: {} }, order);
  };
}

/** HEAD of the repository; null outside git and before the first commit. */
export async function readHead(git: Git, directory?: string): Promise<string | null> {
  const end = await git(["rev-parse", "--verify", "--quiet", "HEAD"], directory === undefined ? {} : { directory });
  return end.exitCode === 0 ? end.stdout.trim() : null;
}

/** Whoever works in a project can put programs into all of these. */
export function projectFolders(projectDir: string, repository: Repository | null): string[] {
  return repository === null ? [projectDir] : [projectDir, repository.top];
}

/** Where nothing cuts a call short: half a merge is worse than a second more. */
const never = new AbortController().signal;
