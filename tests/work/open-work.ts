import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProject, type ProjectOptions, type ScratchProject } from "../run/scratch-project.ts";

/** A scratch project with tasks and an agent that knows its role. */
export type WorkProject = ScratchProject & {
  /**
   * Writes an agent whose turns do what `body` says: `$task`, `$role`, `$round` and `$iteration` are known, `claim` says the
   * promise the prompt asks for, `reject REASON` sends the work back.
   */
  worker(body: string, settings?: Record<string, unknown>): void;
  /** Stores tasks, as files define them; what is not said is filled in. */
  tasks(...tasks: Record<string, unknown>[]): Promise<void>;
  /** How each task stands: status, role, iterations. */
  standing(): Promise<Record<string, string>>;
  /** The prompts a role of a task got, in order. */
  promptsOf(task: string, role: string): string[];
  /** The work runs and their children, as `ralph status` shows them. */
  works(): Promise<StatusRun[]>;
};

/** A run as `ralph status --json` shows it. */
export type StatusRun = {
  id: string;
  kind: string;
  state: string;
  outcome: string | null;
  reason: string | null;
  iteration: number;
  task?: string;
  role?: string;
  children?: StatusRun[];
};

/** A criterion that a command verifies. */
export function external(
  promise: string,
  command: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const { max_iterations, ...config } = more;
  return {
    promise,
    verification_method: "external",
    verification_config: { command, ...config },
    ...(max_iterations === undefined ? {} : { max_iterations }),
  };
}

/** A criterion that rests on the claim. */
export function onWord(promise: string, maxIterations = 3): Record<string, unknown> {
  return { promise, verification_method: "string_match", verification_config: {}, max_iterations: maxIterations };
}

/** What done means for a task, with a criterion for each role named. */
export function completion(criteria: Record<string, unknown>): Record<string, unknown> {
  return { outcome: "It works.", acceptance_criteria: ["It works"], ...criteria };
}

/** Every role believes its claim. */
export const believed = completion({
  coder: onWord("CODED"),
  reviewer: onWord("REVIEWED"),
  tester: onWord("TESTED"),
  qa: onWord("ACCEPTED"),
});

/** Opens a scratch repository for work. */
export function openWork(options: ProjectOptions = {}): WorkProject {
  const project = openProject({ isGit: true, ...options });
  const prompts = join(project.root, "role-prompts");
  mkdirSync(prompts);
  return {
    ...project,
    worker(body, settings = {}) {
      const path = join(project.root, "agents", "worker");
      writeFileSync(path, workerSource(prompts, project.root, body));
      chmodSync(path, 0o755);
      const { agent = {}, ...others } = settings;
      project.settings({ ...others, agent: { command: path, retryDelay: 0, ...(agent as object) } });
    },
    async tasks(...tasks) {
      project.write("../tasks.json", JSON.stringify({ tasks: tasks.map((task) => ({ title: "A task", ...task })) }));
      const { code, stderr } = await project.run(["task", "import", "../tasks.json"]);
      if (code !== 0) throw new Error(stderr);
    },
    async standing() {
      const { tasks } = (await project.json(["task", "list"])) as {
        tasks: { id: string; status: string; iteration: number; progress: { role: string; round: number } | null }[];
      };
      return Object.fromEntries(
        tasks.map(({ id, status, iteration, progress }) => [
          id,
          progress === null ? status : `${status} ${progress.role} ${progress.round}, ${iteration} iterations`,
        ]),
      );
    },
    promptsOf: (task, role) =>
      readdirSync(prompts)
        .filter((name) => name.startsWith(`${task}.${role}.`))
        .toSorted()
        .map((name) => readFileSync(join(prompts, name), "utf8")),
    async works() {
      const { runs } = (await project.json(["status"])) as { runs: StatusRun[] };
      return runs.filter(({ kind }) => kind === "work");
    },
  };
}

function workerSource(prompts: string, root: string, body: string): string {
  return `#!/bin/sh
for prompt; do :; done
line() { printf '%s' "$prompt" | sed -n "$1" | head -1; }
task=$(line 's/^# Task \\([^:]*\\): .*/\\1/p')
role=$(line 's/^- \\*\\*Agent\\*\\*: //p')
iteration=$(line 's|^- \\*\\*Iteration\\*\\*: \\([0-9]*\\)/.*|\\1|p')
round=$(($(printf '%s' "$prompt" | grep -c '^- Round ') + 1))
promise=$(line 's|^<promise>\\([^<]*\\)</promise>$|\\1|p')
root='${root}'
printf %s "$prompt" > "${prompts}/$task.$role.$round.$iteration"
claim() { echo "<promise>\${1:-$promise}</promise>"; }
reject() { echo "<promise>REJECT: $*</promise>"; }
${body}
`;
}
