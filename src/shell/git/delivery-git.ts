import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Disk } from "../ports.ts";
import { openRunGit, type RunGit } from "./run-git.ts";
import { createGit, type Git, type GitCaller, type GitContext } from "./git.ts";
import { gitEnvironment, quietWords, trustedPath } from "./git-environment.ts";
import { hooksNow } from "./frozen-hooks.ts";
import type { RepositoryStart } from "./own-store.ts";
import { whyReplaced } from "./replaced-repository.ts";
import {
  type ConfigEntry,
  configVariables,
  isOfRepository,
  isPromise,
  overridesOf,
  readConfig,
} from "./repository-config.ts";
import { runTool } from "./run-tool.ts";

/** Git as a delivery uses it. */
export type DeliveryGit = {
  /** Stages and asks: in the user's repository, without hooks. */
  git: Git;
  /** Commits and pushes: with the hooks and the signatures of the time before the first turn. */
  gitWithHooks: Git;
  run: RunGit;
  /** Hooks that are not run, by their paths. */
  refusedHooks: string[];
};

/** What a delivery is told. */
export type DeliveryGitOptions = GitCaller & { program: string; hasHooks: boolean };

/** Opens git for a delivery, or says why nothing can be delivered. */
export async function openDeliveryGit(
  context: GitContext & { disk: Disk; folder: string },
  options: DeliveryGitOptions,
): Promise<DeliveryGit | { problem: string }> {
  const { projectDir } = context.frozen;
  const run = await openRunGit(context, options);
  if (run === null) return { problem: `${projectDir} is not a git repository; begin one: git init` };
  const { start } = run.store;
  const { repository } = start;
  const plain = createGit(context, { ...options, repository });
  const now = await readConfig(plain);
  const moved = findMove(context, start, now);
  if (moved !== null) return { problem: moved };
  const variables = configVariables(overridesOf(now, start.config), context.env);
  const setting = lastValue(now, "core.hookspath");
  const hooks = start.hooks === undefined ? null : hooksNow(start.hooks, repository, setting);
  const hooksPath = options.hasHooks && hooks !== null ? hooks.path : "/dev/null";
  const words = [`core.hooksPath=${hooksPath}`, ...signing(start.config)].flatMap((option) => ["-c", option]);
  const path = trustedPath(context.env["PATH"] ?? "", [projectDir, repository.top]);
  const program = findOn(path, options.program) ?? options.program;
  // Hooks find programs and repositories as they would after a commit by hand: nothing holds them to this one.
  const env = { ...gitEnvironment(context.env, []), PATH: context.env["PATH"] ?? "", ...variables };
  const { turnMarker, signal = new AbortController().signal } = options;
  return {
    run,
    git: (argv, call = {}) => plain(argv, { ...call, env: { ...variables, ...call.env } }),
    gitWithHooks: (argv, call = {}) =>
      runTool(
        { ...context, env: {} },
        {
          ...call,
          purpose: "delivery",
          argv: [program, ...quietWords, ...words, ...argv],
          env: { ...env, ...call.env },
          turnMarker,
          signal,
        },
      ),
    refusedHooks: options.hasHooks ? (hooks?.refused ?? []) : [],
  };
}

/** The file of a program on a search path; a path is its own. */
function findOn(path: string, program: string): string | null {
  if (program.includes("/")) return program;
  const files = path.split(delimiter).map((folder) => join(folder, program));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A commit would go elsewhere, or hold other files, than what was checked, or fetch objects by a program of the run. */
function findMove(context: GitContext, start: RepositoryStart, now: readonly ConfigEntry[]): string | null {
  const replaced = whyReplaced(context.disk, start, context.frozen.projectDir);
  if (replaced !== null) return `${replaced} Nothing was committed.`;
  const keys = new Set(["core.worktree", ...[...start.config, ...now].map((entry) => entry.key).filter(isPromise)]);
  const key = [...keys].find((each) => lastValue(start.config, each) !== lastValue(now, each));
  if (key === undefined) return null;
  const after = lastValue(now, key);
  return `${key} was set to ${after ?? "nothing"} during the run; nothing was committed. Undo it: git config --unset ${key}`;
}

function lastValue(entries: readonly ConfigEntry[], key: string): string | null {
  return entries.findLast((entry) => entry.key === key)?.value ?? null;
}

/** Whether commits are signed is the user's choice, made outside of any repository. */
function signing(config: readonly ConfigEntry[]): string[] {
  const own = config.filter((entry) => !isOfRepository(entry));
  return ["commit.gpgsign", "tag.gpgsign"].map((key) => `${key}=${lastValue(own, key) ?? "false"}`);
}
