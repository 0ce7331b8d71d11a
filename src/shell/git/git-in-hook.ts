import { createSharedFiles } from "../lib/shared-files.ts";
import { runNow } from "../processes/run-now.ts";
import { gitEnvironment, offline, quietWords } from "./git-environment.ts";
import { findRepository, repositoryVariablesOf } from "./repository.ts";

/** Git must answer long before the host gives up on the hook. */
const gitMsMax = 30_000;
const outputBytesMax = 64 * 1024 * 1024;

/**
 * What git prints, called from a hook: a process of an event that ends with its answer, and has neither a run nor a port
 * to processes. The same words and the same environment as everywhere else. Null when git is missing, fails or hangs, or
 * when the time of the hook is over.
 */
export function askGitInHook(projectDir: string, words: readonly string[], msMax: number = gitMsMax): string | null {
  const repository = findRepository(createSharedFiles(), projectDir);
  const timeout = Math.floor(Math.min(msMax, dueUpMs() - process.uptime() * 1000));
  if (repository === null || timeout <= 0) return null;
  const env = {
    ...gitEnvironment(process.env, [projectDir, repository.top]),
    ...repositoryVariablesOf(repository),
    ...offline,
  };
  const argv = ["git", ...quietWords, ...words];
  return runNow({ purpose: "git", argv, cwd: projectDir, env, timeoutMs: timeout, outputBytesMax });
}

/** In a process that answers one event: no call of git lasts beyond this time of the process. */
export function endGitInHook(upMs: number): void {
  Reflect.set(globalThis, dueKey, upMs);
}

/** Of the process, not of this file: parts that are loaded later bring a copy of it. */
const dueKey = Symbol.for("ralph.hook.git-due-ms");

function dueUpMs(): number {
  const due: unknown = Reflect.get(globalThis, dueKey);
  return typeof due === "number" ? due : Number.POSITIVE_INFINITY;
}
