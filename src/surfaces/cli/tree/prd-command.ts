import type { CommandSpec } from "../input/command-spec.ts";
import { display, heldOut, json, projectDir } from "../input/common-flags.ts";
import { limitFlags } from "../input/setting-flags.ts";

const ralphDir = { flags: "--ralph-dir <dir>", sentence: "folder of the work files (ralph/, else .ralph/)" };

/** The letters of `prd run`: `-n` are iterations, `-m` is the model (CB-09). */
const runFlags = [
  { flags: "-n, --maximum-iterations <count>", sentence: "iterations at most (15)" },
  { flags: "--max-iterations <count>", sentence: "the same", aliasOf: "maximumIterations" },
  { flags: "-m, --model <name>", sentence: "the model to ask for" },
  { flags: "--agent <command>", sentence: "the agent program, instead of agent.command" },
  { flags: "--skip-review", sentence: "no reviews: a story passes when its turn says so and the checks are green" },
  { flags: "--review-cap <count>", sentence: "reviews of a story at most, instead of review.cap (5)" },
  { flags: "--sandbox", sentence: "always refused: this version has no sandbox" },
  { flags: "--no-sandbox", sentence: "run directly on this machine, as every run does" },
  { flags: "--unsafe", sentence: "start although nothing guards the agent's commands" },
  { flags: "--create-branch", sentence: "switch to the branch of the task list first; create it if it is new" },
  { flags: "--allow-dirty", sentence: "deliver although tracked files have changes" },
  heldOut,
  { flags: "--dry-run", sentence: "show prompt, command line, checks and limits; start nothing" },
  ...limitFlags.filter(({ key }) => key !== "maximumIterations"),
];

/** `ralph prd` and its commands. */
export const prdCommand: CommandSpec = {
  name: "prd",
  parameters: "",
  sentence: "a task list with enforced reviews: init, plan, run, status, archive",
  options: [],
  examples: ["ralph prd init --name login", "ralph prd plan", "ralph prd run --unsafe"],
  commands: [
    {
      name: "init",
      parameters: "",
      sentence: "create a task list: prd.md, tasks.json, progress.txt and prompt.md",
      options: [
        { flags: "--name <feature>", sentence: "the feature, for the PRD and the branch" },
        { flags: "--force", sentence: "start again; existing files are kept as *.old" },
        json,
        ralphDir,
        projectDir,
      ],
      examples: ["ralph prd init", "ralph prd init --name login"],
      changes: "project",
      load: () => import("../prd/init.ts"),
    },
    {
      name: "plan",
      parameters: "",
      sentence: "write the PRD with an agent on this terminal, or derive tasks.json from a finished one",
      options: [
        { flags: "--derive", sentence: "ask nothing: derive tasks.json from prd.md" },
        { flags: "--force", sentence: "replace an existing list; it is kept as tasks.json.old" },
        { flags: "--agent <command>", sentence: "the agent program, instead of agent.command" },
        { flags: "--model <name>", sentence: "the model to ask for" },
        json,
        ralphDir,
        projectDir,
      ],
      examples: ["ralph prd plan", "ralph prd plan --derive"],
      changes: "project",
      load: () => import("../prd/plan.ts"),
    },
    {
      name: "run",
      parameters: "",
      sentence: "work through the list: each story implemented, reviewed in a fresh context, fixed, approved",
      options: [
        ...runFlags,
        ...display,
        ralphDir,
        projectDir,
        { flags: "-d, --directory <dir>", sentence: "the same", aliasOf: "projectDir" },
      ],
      examples: ["ralph prd run --unsafe", "ralph prd run --unsafe -n 30 --review-cap 3 --max-cost 20"],
      load: async () => {
        const { drivingCommands } = await import("./driving-commands.ts");
        return { default: drivingCommands.prdRun };
      },
    },
    {
      name: "status",
      parameters: "",
      sentence: "the stories with their state, the next turn and an estimate",
      options: [
        { flags: "--skip-review", sentence: "as for a run without reviews" },
        { flags: "--review-cap <count>", sentence: "as for a run with this cap, instead of review.cap" },
        json,
        ralphDir,
        projectDir,
      ],
      examples: ["ralph prd status", "ralph prd status --json"],
      load: () => import("../prd/status.ts"),
    },
    {
      name: "archive",
      parameters: "",
      sentence: "archive the list with a summary and start fresh files",
      options: [
        { flags: "--label <label>", sentence: "name of the archive, instead of the branch" },
        json,
        ralphDir,
        projectDir,
      ],
      examples: ["ralph prd archive", "ralph prd archive --label login"],
      changes: "project",
      load: () => import("../prd/archive.ts"),
    },
  ],
};
