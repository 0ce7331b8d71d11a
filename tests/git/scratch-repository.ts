import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { openRunGit, type RunGit, type RunGitContext } from "../../src/shell/git/run-git.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";

/** Of this process alone: test files that run at the same time end what is left of their calls by its marker. */
export const scratchRunId = `run-${process.pid}`;

/** A repository with one commit, outside of the person's own configuration, and a state folder beside it. */
export type ScratchRepository = {
  root: string;
  project: string;
  env: Record<string, string>;
  place: RunGitContext;
  git(...words: string[]): string;
  write(name: string, text: string): void;
  read(name: string): string;
  has(name: string): boolean;
  /** Writes a program of a few lines of shell outside of the project; returns its path. */
  program(name: string, body: string): string;
  /** The store of a run as `startRun` makes it. */
  open(order?: { isBeforeTurns?: boolean; projectDir?: string; runId?: string; parentRunId?: string }): Promise<RunGit>;
};

/** Opens it in a temporary folder that is gone after the test. */
export function openRepository(): ScratchRepository {
  const root = mkdtempSync(join(tmpdir(), "ralph-git-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "project");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
  };
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", project, ...words], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  execFileSync("git", ["init", "-q", "-b", "main", project], { env });
  write("a.txt", "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  const context: RunGitContext = {
    runId: scratchRunId,
    env,
    killGraceMs: 200,
    processes: createProcesses(),
    disk: createDisk(),
    folder: join(root, "state"),
    frozen: { projectDir: project },
  };
  return {
    root,
    project,
    env,
    place: context,
    git,
    write,
    read: (name) => readFileSync(join(project, name), "utf8"),
    has: (name) => existsSync(join(project, name)),
    program(name, body) {
      const path = join(root, name);
      writeFileSync(path, `#!/bin/sh\n${body}\n`);
      chmodSync(path, 0o755);
      return path;
    },
    async open({ isBeforeTurns = true, projectDir = project, runId = scratchRunId, parentRunId } = {}) {
      const here = { ...context, runId, frozen: { projectDir } };
      const order = { isBeforeTurns, parentRunId: parentRunId ?? null };
      const opened = await openRunGit(here, { turnMarker: `${runId}.1` }, order);
      if (opened === null) throw new Error(`${projectDir} is in no repository`);
      return opened;
    },
  };
}
