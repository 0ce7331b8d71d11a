/** One option of a command, in commander's notation. `--no-x` forms make a switch that may be absent, on or off. */
export type OptionSpec = { flags: string; sentence: string; aliasOf?: string };

/** What a command gets: its arguments and options, unchecked. */
export type Input = { arguments: string[]; options: Record<string, unknown> };

/** One command. Its code is loaded only when it is called. */
export type CommandSpec = {
  name: string;
  /** Arguments in commander's notation, such as `[run]`. */
  parameters: string;
  sentence: string;
  options: OptionSpec[];
  examples: string[];
  /** Options belong to a program of their own and are handed on unread. */
  isPassThrough?: boolean;
  load: () => Promise<{ default: (input: Input) => Promise<number> }>;
};

const projectDir = { flags: "-C, --project-dir <dir>", sentence: "work in this directory" };
const json = { flags: "--json", sentence: "print results as JSON" };
const limits = [
  { flags: "-m, --maximum-iterations <count>", sentence: "iterations at most" },
  { flags: "--max-iterations <count>", sentence: "the same", aliasOf: "maximumIterations" },
  { flags: "--max-cost <usd>", sentence: "US dollars at most" },
  { flags: "--max-tokens <count>", sentence: "tokens at most" },
  { flags: "--max-time <duration>", sentence: 'time at most, such as "90s", "30m" or "2h"' },
];
const display = [
  json,
  { flags: "--stream-agent-output", sentence: "show the agent's output while it works" },
  { flags: "--no-stream-agent-output", sentence: "do not show it" },
  { flags: "-V, --verbose", sentence: "say more on standard error" },
];

/** The whole command tree, as data. */
export const commandTree: CommandSpec[] = [
  {
    name: "run",
    parameters: "",
    sentence: "loop an agent on a prompt until its claim passes every gate",
    options: [
      { flags: "-p, --prompt <text>", sentence: "the prompt" },
      {
        flags: "-f, --prompt-file <path>",
        sentence: "a file with the prompt, read again at every iteration; - for standard input",
      },
      { flags: "-c, --completion-response <text>", sentence: "the text a claim must carry (DONE)" },
      { flags: "--agent <command>", sentence: "the agent program, instead of agent.command" },
      { flags: "--model <name>", sentence: "the model to ask for" },
      { flags: "--allow-dirty", sentence: "start although tracked files have changes" },
      ...limits,
      ...display,
      projectDir,
    ],
    examples: [
      'ralph run -p "Make the tests pass"',
      "ralph run -f prompt.md -m 20 --max-cost 5",
      "ralph run -f - --json < prompt.md",
    ],
    load: () => import("./commands/run.ts"),
  },
  {
    name: "status",
    parameters: "",
    sentence: "runs: what, where, how far, what they wait for, what they cost",
    options: [
      { flags: "--all", sentence: "every project, every run" },
      { flags: "--watch", sentence: "show again every second until interrupted" },
      json,
      projectDir,
    ],
    examples: ["ralph status", "ralph status --all --json"],
    load: () => import("./commands/status.ts"),
  },
  {
    name: "show",
    parameters: "[run]",
    sentence: "one run: iterations, checks with evidence, spend, outcome, why it stopped",
    options: [json, projectDir],
    examples: ["ralph show", "ralph show 20261115-204355-k7q2 --json"],
    load: () => import("./commands/show.ts"),
  },
  {
    name: "logs",
    parameters: "[run]",
    sentence: "the journal and the agent's stream",
    options: [
      { flags: "-f, --follow", sentence: "go on while the run does" },
      { flags: "--raw", sentence: "the agent's raw output instead" },
      json,
      projectDir,
    ],
    examples: ["ralph logs -f", "ralph logs 20261115-204355-k7q2 --raw"],
    load: () => import("./commands/logs.ts"),
  },
  {
    name: "cancel",
    parameters: "[run]",
    sentence: "end a run for good",
    options: [json, projectDir],
    examples: ["ralph cancel", "ralph cancel 20261115-204355-k7q2"],
    load: () => import("./commands/cancel.ts"),
  },
  {
    name: "pause",
    parameters: "[run]",
    sentence: "let what runs finish and begin nothing new",
    options: [json, projectDir],
    examples: ["ralph pause"],
    load: () => import("./commands/pause.ts"),
  },
  {
    name: "resume",
    parameters: "[run]",
    sentence: "go on with a paused, interrupted, stopped or dead run",
    options: [
      { flags: "--answer <text>", sentence: "the answer to the agent's question, for the next prompt" },
      ...limits,
      ...display,
      projectDir,
    ],
    examples: ["ralph resume", 'ralph resume --answer "Use PostgreSQL"', "ralph resume 20261115-204355-k7q2 -m 5"],
    load: () => import("./commands/resume.ts"),
  },
  {
    name: "demo",
    parameters: "",
    sentence: "see a lie refused and a fix accepted, in a scratch repository, without network or key",
    options: [{ flags: "--keep", sentence: "keep the scratch repository" }],
    examples: ["ralph demo"],
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "sim",
    parameters: "[arguments...]",
    sentence: "the embedded scripted agent (for the demo, tests and trying settings)",
    options: [],
    examples: ["ralph sim --script sim.yaml"],
    isPassThrough: true,
    load: () => import("./commands/sim.ts"),
  },
];
