import type { CommandSpec } from "../input/command-spec.ts";
import { display, heldOut, json, look, projectDir } from "../input/common-flags.ts";
import pause from "../commands/pause.ts";
import show from "../commands/show.ts";
import status from "../commands/status.ts";
import type { drivingCommands } from "./driving-commands.ts";
import type { settingCommands } from "./setting-commands.ts";
import { keysCommand } from "./keys-command.ts";
import { pluginCommand } from "./plugin-command.ts";
import { prdCommand } from "./prd-command.ts";
import { agentFlags, limitFlags, sealFlags } from "../input/setting-flags.ts";
import { sealCommand } from "./seal-command.ts";
import { taskCommand } from "./task-command.ts";
import { verifyCommand } from "./verify-command.ts";

const driving = (name: keyof typeof drivingCommands) => async () => {
  const { drivingCommands: commands } = await import("./driving-commands.ts");
  return { default: commands[name] };
};
const setting = (name: keyof typeof settingCommands) => async () => {
  const { settingCommands: commands } = await import("./setting-commands.ts");
  return { default: commands[name] };
};
const taskDir = { flags: "--task-dir <dir>", sentence: "the task directory of a supervised run" };

/** The command of a line without any word. */
export const loadOverview = (): Promise<{ default: () => Promise<number> }> => import("../commands/overview.ts");

/** The whole command tree, as data. */
export const commandTree: CommandSpec[] = [
  {
    name: "run",
    parameters: "[prompt]",
    sentence: "loop an agent on a prompt until its claim passes every gate",
    options: [
      { flags: "-p, --prompt <text>", sentence: "the prompt; the same as the argument" },
      {
        flags: "-f, --prompt-file <path>",
        sentence: "a file with the prompt, read again at every iteration; - for standard input",
      },
      ...agentFlags,
      { flags: "--allow-dirty", sentence: "start although tracked files have changes" },
      heldOut,
      { flags: "--dry-run", sentence: "show prompt, command line, checks and limits; start nothing" },
      ...limitFlags,
      ...sealFlags,
      ...display,
      projectDir,
    ],
    examples: [
      'ralph run "Make the tests pass"',
      "ralph run -f prompt.md -m 20 --max-cost 5",
      "ralph run -f - --json < prompt.md",
    ],
    load: driving("run"),
  },
  {
    name: "work",
    parameters: "[task...]",
    sentence: "run tasks through their roles, each verified: coder, reviewer, tester, qa",
    options: [
      { flags: "--roles <list>", sentence: "only these roles, such as coder,reviewer" },
      { flags: "-j, --jobs <count>", sentence: "tasks at once (1); more need --worktrees" },
      { flags: "--worktrees", sentence: "give each task its own git work tree and branch, merged when done" },
      { flags: "--dry-run", sentence: "show tasks, roles, checks and limits; start nothing" },
      ...agentFlags.filter(({ key }) => key.startsWith("agent.")),
      { flags: "--allow-dirty", sentence: "start although tracked files have changes" },
      ...limitFlags.filter(({ key }) => key.startsWith("budget.")),
      ...display,
      projectDir,
    ],
    examples: ["ralph work", "ralph work auth-001 --roles coder,reviewer", "ralph work -j 3 --worktrees --max-cost 20"],
    load: driving("work"),
  },
  {
    name: "supervise",
    parameters: "[command...]",
    sentence: "restart an agent until it has created DONE, and leave no process behind",
    options: [
      { flags: "-p, --prompt <text>", sentence: "the prompt; without -p and -f, TASK.md of the task directory" },
      {
        flags: "-f, --prompt-file <path>",
        sentence: "a file with the prompt, read again at every run; - for standard input",
      },
      { flags: "--task-dir <dir>", sentence: "holds DONE, TASK.md, the bus and the runs (the project directory)" },
      { flags: "--project <id>", sentence: "project id, else the name of the folder above" },
      { flags: "--task <id>", sentence: "task id, else the name of the task directory" },
      { flags: "--max-restarts <count>", sentence: "runs at most (100); 10 are enough for most tasks" },
      { flags: "--restart-delay <duration>", sentence: "wait between two runs (1s)" },
      { flags: "--agent-timeout <duration>", sentence: "longest a run may take (none)" },
      { flags: "--idle-timeout <duration>", sentence: "longest a run may be silent (none)" },
      { flags: "--child-wait <duration>", sentence: "how long to wait for children after DONE (300s)" },
      { flags: "--poll-interval <duration>", sentence: "how often to look at children while waiting for them (1s)" },
      { flags: "--fresh", sentence: "remove a DONE of an earlier run first" },
      { flags: "--dry-run", sentence: "show prompt, command line, checks and limits; start nothing" },
      { flags: "--agent <command>", sentence: "the agent program, instead of agent.command" },
      { flags: "--model <name>", sentence: "the model to ask for" },
      ...limitFlags.filter(({ key }) => key.startsWith("budget.")),
      ...display,
      projectDir,
    ],
    examples: [
      'ralph supervise --task-dir tasks/shop/task-001 -p "Migrate the database"',
      "ralph supervise --max-restarts 10 -- ./nightly.sh --all",
    ],
    load: driving("supervise"),
  },
  {
    name: "init",
    parameters: "",
    sentence: "write .ralph/settings.json, asking for each value",
    options: [
      { flags: "-y, --yes", sentence: "ask nothing: use the agent and the checks found here" },
      { flags: "--force", sentence: "replace existing settings" },
      projectDir,
    ],
    examples: ["ralph init", "ralph init --yes"],
    changes: "project",
    load: setting("init"),
  },
  {
    name: "status",
    parameters: "[run]",
    sentence: "runs: activity, project, progress, what they wait for, cost",
    options: [
      { flags: "--all", sentence: "every project, every run" },
      { flags: "--watch", sentence: "show again every second until interrupted" },
      json,
      taskDir,
      projectDir,
    ],
    examples: ["ralph status", "ralph status 20261115-204355-k7q2", "ralph status --all --json"],
    load: async () => ({ default: status }),
  },
  {
    name: "show",
    parameters: "[run]",
    sentence: "one run, or a task: iterations, checks with evidence, spend, outcome, why it stopped",
    options: [
      {
        flags: "--check",
        sentence:
          "verify that the run's journal is unchanged and leads to its state instead; exit 1 names what differs",
      },
      json,
      taskDir,
      projectDir,
    ],
    examples: [
      "ralph show",
      "ralph show 20261115-204355-k7q2 --json",
      "ralph show auth-001",
      "ralph show 20261115-204355-k7q2 --check",
    ],
    load: async () => ({ default: show }),
  },
  {
    name: "logs",
    parameters: "[run]",
    sentence: "the journal and the agent's stream",
    options: [
      { flags: "-f, --follow", sentence: "watch the run until it ends, as its own terminal shows it" },
      { flags: "--raw", sentence: "the agent's raw output instead" },
      json,
      ...look,
      taskDir,
      projectDir,
    ],
    examples: ["ralph logs -f", "ralph logs 20261115-204355-k7q2 --raw"],
    load: driving("logs"),
  },
  {
    name: "cancel",
    parameters: "[run]",
    sentence: "end a run, or the loop inside a session, for good",
    options: [json, taskDir, projectDir],
    examples: ["ralph cancel", "ralph cancel 20261115-204355-k7q2"],
    changes: "run",
    load: driving("cancel"),
  },
  {
    name: "pause",
    parameters: "[run]",
    sentence: "finish the current operation and start nothing new",
    options: [json, taskDir, projectDir],
    examples: ["ralph pause"],
    changes: "run",
    load: async () => ({ default: pause }),
  },
  {
    name: "resume",
    parameters: "[run]",
    sentence: "resume a paused, interrupted, stopped or dead run",
    options: [
      { flags: "--answer <text>", sentence: "the answer to the agent's question, for the next prompt" },
      {
        flags: "--accept-tests <file...>",
        sentence: "changed tests in dispute that count from now on: their files, or all",
      },
      { flags: "--accept-edits", sentence: "resume although edits of the task list removed checks" },
      ...limitFlags.map((flag) =>
        flag.key === "maximumIterations" && flag.aliasOf === undefined
          ? { ...flag, sentence: "this many more iterations" }
          : flag,
      ),
      ...display,
      taskDir,
      projectDir,
    ],
    examples: [
      "ralph resume",
      'ralph resume --answer "Use PostgreSQL"',
      "ralph resume --accept-tests all",
      "ralph resume 20261115-204355-k7q2 -m 5",
    ],
    changes: "run",
    load: driving("resume"),
  },
  taskCommand,
  {
    name: "bus",
    parameters: "",
    sentence: "the message bus of a task or a project: post, read, find it",
    options: [],
    examples: ['ralph bus post --type FACT --body "The schema has 12 tables"', "ralph bus read --follow"],
    commands: [
      {
        name: "post",
        parameters: "",
        sentence: "put a message on the bus and print its id",
        options: [
          { flags: "--type <type>", sentence: "kind of message, any word (INFO)" },
          { flags: "--body <text>", sentence: "the message; without it, standard input" },
          { flags: "--project <id>", sentence: "project id, else from the path of the bus" },
          { flags: "--task <id>", sentence: "task id, else from the path of the bus" },
          { flags: "--run <id>", sentence: "run id, else JRUN_ID" },
          { flags: "--issue <id>", sentence: "the issue it belongs to" },
          { flags: "--parent <id...>", sentence: "a message it follows, as ID or ID:kind" },
          { flags: "--link <url...>", sentence: "an address, with a label after a blank" },
          { flags: "--meta <pair...>", sentence: "further fields as name=value" },
          { flags: "--bus <path>", sentence: "this file, unless JRUN_MESSAGE_BUS is set" },
          json,
          projectDir,
        ],
        examples: [
          'ralph bus post --type FACT --body "The schema has 12 tables"',
          "ralph bus post --type PROGRESS --meta branch=main < notes.md",
        ],
        load: () => import("../bus/post.ts"),
      },
      {
        name: "read",
        parameters: "",
        sentence: "messages, oldest first",
        options: [
          { flags: "--tail <count>", sentence: "how many of the last messages (20)" },
          { flags: "--all", sentence: "all messages, also archived ones" },
          { flags: "--since <id>", sentence: "only messages after this one" },
          { flags: "--type <type>", sentence: "only messages of this type" },
          { flags: "-f, --follow", sentence: "wait for new messages until interrupted" },
          { flags: "--bus <path>", sentence: "this file" },
          json,
          projectDir,
        ],
        examples: ["ralph bus read --tail 5", "ralph bus read --follow --type FACT --json"],
        load: () => import("../bus/read.ts"),
      },
      {
        name: "discover",
        parameters: "",
        sentence:
          "print the bus used here: JRUN_MESSAGE_BUS, that of the task supervised from here, or the nearest one upwards",
        options: [{ flags: "--bus <path>", sentence: "this file" }, json, projectDir],
        examples: ["ralph bus discover", "ralph bus discover --json"],
        load: () => import("../bus/discover.ts"),
      },
    ],
  },
  prdCommand,
  verifyCommand,
  keysCommand,
  pluginCommand,
  sealCommand,
  {
    name: "settings",
    parameters: "",
    sentence: "show, check and describe the settings",
    options: [],
    examples: ["ralph settings show --explain"],
    commands: [
      {
        name: "show",
        parameters: "",
        sentence: "the effective settings of this directory, without secrets",
        options: [{ flags: "--explain", sentence: "say where each value comes from" }, json, projectDir],
        examples: ["ralph settings show", "ralph settings show --explain"],
        load: setting("showSettings"),
      },
      {
        name: "schema",
        parameters: "",
        sentence: "the JSON Schema of a settings file, for editors",
        options: [],
        examples: ["ralph settings schema > settings.schema.json"],
        load: setting("printSettingsSchema"),
      },
      {
        name: "check",
        parameters: "",
        sentence: "validate the settings and name every problem",
        options: [json, projectDir],
        examples: ["ralph settings check"],
        load: setting("checkSettings"),
      },
    ],
  },
  {
    name: "doctor",
    parameters: "",
    sentence: "check whether a run could work here: agents, git, store, terminal, settings",
    options: [json, projectDir],
    examples: ["ralph doctor", "ralph doctor --json"],
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "completions",
    parameters: "<shell> [part]",
    choices: ["bash", "zsh", "fish"],
    sentence: "print completions for bash, zsh or fish",
    options: [],
    examples: [
      "ralph completions bash > ~/.local/share/bash-completion/completions/ralph",
      "ralph completions fish > ~/.config/fish/completions/ralph.fish",
    ],
    load: async () => {
      const { completionsOf } = await import("../commands/completions.ts");
      return { default: completionsOf(commandTree) };
    },
  },
  {
    name: "demo",
    parameters: "",
    sentence: "see a lie refused and a fix accepted, in a scratch repository, without network or key",
    options: [],
    examples: ["ralph demo"],
    load: driving("demo"),
  },
  {
    name: "sim",
    parameters: "[arguments...]",
    sentence: "the embedded scripted agent (for the demo, tests and trying settings)",
    options: [],
    examples: ["ralph sim --script sim.yaml"],
    isPassThrough: true,
    load: () => import("../commands/sim.ts"),
  },
];
