import { join } from "node:path";
import type { Ended, ProjectOptions, ScratchProject, StartOptions } from "../run/scratch-project.ts";
import { openProject } from "../run/scratch-project.ts";
import { type Story, taskFileText } from "./sample-task-file.ts";

/** What an agent does in a turn: a line of shell, with the helpers of `agentSource` at hand. */
export type Act = string;

/** A scratch project with a task list and an agent whose every turn is one line of shell. */
export type ListProject = ScratchProject & {
  /** The stories as they stand now. */
  stories(): Story[];
  /** Starts `ralph prd run` with these further words. */
  prdRun(words?: string[], options?: StartOptions): Promise<Ended>;
  /** The journal as `ralph show --json` tells it. */
  shown(): Promise<Shown>;
};

export type Shown = {
  outcome: string;
  reason: string;
  iteration: number;
  notes: { text: string }[];
  iterations: { number: number; role: string; task: string; violations: string[] }[];
};

/** How the project is made. */
export type ListRequest = ProjectOptions & {
  stories: Story[];
  /** One for each turn; the last is repeated. */
  acts: Act[];
  settings?: Record<string, unknown>;
  verifyCommands?: string[];
};

/** Opens a project whose list has these stories and whose agent acts as told. Everything is committed. */
export function openList(request: ListRequest): ListProject {
  const { stories, acts: lines, settings = {}, verifyCommands = [], ...open } = request;
  const { isGit = true } = open;
  const project = openProject({ ...open, isGit });
  project.claude(agentSource(project.root, lines), settings);
  project.write("ralph/tasks.json", `${taskFileText(stories, { verifyCommands })}\n`);
  project.write("ralph/prd.md", prdText);
  project.write("ralph/progress.txt", "# Ralph Progress Log\n");
  project.write("ralph/prompt.md", prompt);
  project.write("code.txt", "first\n");
  project.write(".gitignore", ".ralph-active\n");
  if (isGit) commitAll(project);
  return {
    ...project,
    stories: () => (JSON.parse(project.read("ralph/tasks.json")) as { userStories: Story[] }).userStories,
    prdRun: (words = [], options) => project.run(["prd", "run", "--unsafe", ...words], options),
    shown: async () => (await project.json(["show"])) as unknown as Shown,
  };
}

/** Commits everything that stands in the project. */
export function commitAll(project: ScratchProject, message = "work"): void {
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", message);
}

/** The agent's moves on a story, as the roles allow them. */
export const acts = {
  implement: (id: string): Act =>
    `echo work on ${id} >> code.txt; list ${id} reviewStatus='"needs_review"' notes='"done"'; commit "feat: ${id}"`,
  approve: (id: string, count = 1): Act =>
    `list ${id} reviewStatus='"approved"' passes=true reviewCount=${count}; commit "review: ${id}"`,
  refuse: (id: string, count = 1): Act =>
    `list ${id} reviewStatus='"changes_requested"' reviewCount=${count} reviewFeedback='"name it"'; commit "review: ${id}"`,
  fix: (id: string): Act =>
    `echo fixed ${id} >> code.txt; list ${id} reviewStatus='"needs_review"' reviewFeedback='""'; commit "fix: ${id}"`,
  nothing: "true",
  claim: "say '<promise>COMPLETE</promise>'",
  /** Answers nothing at all. */
  silent: "isSilent=yes",
} as const;

/** The PRD of every project here. */
export const prdText = "# The PRD\n\nMake a shop.\n";

const prompt = `# Iteration {{ITERATION}} of {{MAX_ITERATIONS}}
You {{ROLE}} {{TASK}}, at most {{REVIEW_CAP}} reviews, files in {{RALPH_DIR}}.
<!-- only: skip-review -->
Reviews are skipped.
<!-- end -->
When every story is approved, output <promise>COMPLETE</promise>.
`;

/** One act a turn, the last one again and again. `list` edits a story, `commit` commits everything there is in git. */
function agentSource(root: string, lines: readonly Act[]): string {
  const cases = lines.map((act, at) => `${at === lines.length - 1 ? "*" : at + 1}) ${act};;`);
  return `echo "$*" >> '${join(root, "command-lines")}'
list() { ${process.execPath} '${join(import.meta.dirname, "edit-list.js")}' "$@"; }
commit() { if [ -d .git ]; then git add -A && git commit -q -m "$1"; fi; }
case $n in
${cases.join("\n")}
esac
[ "$isSilent" = yes ] || say "Turn $n is over."`;
}
