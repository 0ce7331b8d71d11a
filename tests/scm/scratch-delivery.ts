import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DeliveryOf } from "../../src/core/run/effect.ts";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { commandAdapter } from "../../src/shell/agents/command/command-adapter.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import type { RunContext } from "../../src/shell/run-context.ts";
import { openRunGit } from "../../src/shell/git/run-git.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { realClock } from "../../src/shell/lib/real-clock.ts";
import { type Delivered, deliver } from "../../src/shell/delivery/deliver.ts";
import { createFileArtefacts } from "../../src/shell/stores/file-artefacts.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { sampleRun } from "../contract/store-samples.ts";
import { scratchRunId } from "../git/scratch-repository.ts";

/** What a delivery is given; everything else is as usual. */
export type Given = {
  answer?: string;
  agentCode?: number;
  /** A line of shell the agent runs before it answers. */
  agentRuns?: string;
  tasks?: string[];
  stage?: "run" | "tracked" | "all";
  hooks?: boolean;
  of?: DeliveryOf;
  iteration?: number;
  env?: Record<string, string>;
  signal?: AbortSignal;
};

/** A repository with one commit, an agent that answers what it is told to, and real git. Gone after the test. */
export type ScratchDelivery = {
  root: string;
  project: string;
  notes: string[];
  git(...args: string[]): string;
  write(name: string, text: string): void;
  has(name: string): boolean;
  /** Subjects of all commits, newest first. */
  subjects(): string[];
  /** What the agent was asked, or null. */
  asked(): string | null;
  /** Writes a program of a few lines of shell into the folder that comes first on the path. */
  program(name: string, body: string): void;
  hook(name: string, body: string): void;
  /** How the repository stands now counts as the time before the first turn; else it is that of the first delivery. */
  start(): Promise<void>;
  deliver(given?: Given): Promise<Delivered>;
};

/** Opens a scratch repository. Nothing of the person's own git configuration reaches it. */
export function openDelivery(): ScratchDelivery {
  const root = mkdtempSync(join(tmpdir(), "ralph-scm-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "project");
  const programs = join(root, "programs");
  mkdirSync(programs);
  const env = {
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
  };
  const notes: string[] = [];
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", project, ...args], { env, encoding: "utf8" }).trim();
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
  const executable = (path: string, body: string): void => {
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  };
  let untracked: string[] | null = null;
  const start = async (): Promise<void> => {
    const place = { runId: scratchRunId, env, killGraceMs: 200, processes: createProcesses(), disk: createDisk() };
    const here = { ...place, folder: join(root, "state"), frozen: { projectDir: project } };
    const opened = await openRunGit(here, { turnMarker: `${scratchRunId}.0` }, { isBeforeTurns: true });
    untracked ??= opened?.store.start.untracked ?? null;
  };
  execFileSync("git", ["init", "-q", "-b", "main", project], { env });
  write("tracked.txt", "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  return {
    root,
    project,
    notes,
    git,
    write,
    has: (name) => existsSync(join(project, name)),
    subjects: () => git("log", "--format=%s").split("\n"),
    asked: () => (existsSync(join(root, "asked")) ? readFileSync(join(root, "asked"), "utf8") : null),
    program: (name, body) => executable(join(programs, name), body),
    hook: (name, body) => executable(join(project, ".git", "hooks", name), body),
    start,
    async deliver(given = {}) {
      await start();
      const { answer = "Change it", agentCode = 0, agentRuns = ":", of = "iteration", iteration = 1 } = given;
      writeFileSync(join(root, "answer"), answer);
      const agent = join(root, "agent");
      executable(agent, `printf %s "$1" > '${root}/asked'\n${agentRuns}\ncat '${root}/answer'\nexit ${agentCode}`);
      const context = contextOf({ root, project, agent, notes, env: { ...env, ...given.env }, untracked }, given);
      return deliver(context, { id: 3, iteration, of, candidate: null }, given.signal ?? new AbortController().signal);
    },
  };
}

type Place = {
  root: string;
  project: string;
  agent: string;
  notes: string[];
  env: Record<string, string>;
  untracked: string[] | null;
};

function contextOf(place: Place, { tasks = ["commit"], stage, hooks }: Given): RunContext {
  const { root, project, agent, notes, env, untracked } = place;
  const scm = { command: "git", tasks, stage, hooks };
  const settings = settingsSchema.parse({ agent: { command: agent }, scm });
  return {
    runId: scratchRunId,
    frozen: {
      ...sampleRun(scratchRunId).frozen,
      projectDir: project,
      settings,
      ...(untracked === null ? {} : { untrackedAtStart: untracked }),
    },
    agentEnv: {},
    clock: realClock,
    processes: createProcesses(),
    disk: createDisk(),
    artefacts: createFileArtefacts({ folder: join(root, "state"), disk: createDisk() }),
    store: createMemoryStore(),
    sink: { entry: () => {}, agentEvent: () => {} },
    askGate: () => Promise.reject(new Error("a delivery asks no gate")),
    folder: join(root, "state"),
    env,
    adapter: commandAdapter,
    adapters: [],
    command: agent,
    flags: [],
    killGraceMs: 200,
    keepText: (text) => Promise.resolve({ text }),
    fingerprint: () => Promise.resolve(null),
    note: (_level, text) => {
      notes.push(text);
      return Promise.resolve();
    },
    onCheck: () => {},
    onStderr: () => undefined,
  };
}
