import type { AgentAdapter, InvocationRequest } from "../adapter.ts";
import { deliverPrompt, flagValue, unlessGiven } from "../command-line.ts";
import { createMessageStreamReader } from "../../streams/message-stream-reader.ts";
import { claudePrices } from "./claude-prices.ts";
import { claudeHookFlags } from "./claude-hooks.ts";

/** Claude Code. It gets no permission of its own accord: what it may do stands in the settings (CB-12). */
export const claudeAdapter: AgentAdapter = {
  name: "claude",
  commands: ["claude"],
  reportsCost: true,
  prices: claudePrices,
  isBilledByToken: true,
  spendCovers: "process",
  readUsage: null,
  keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  hostMarkers: [
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_SESSION_*",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PLUGIN_*",
    "CLAUDE_PROJECT_DIR",
  ],
  signIn: null,
  // As root the program refuses the flag that allows everything: edits alone need less.
  editFlags: "--permission-mode acceptEdits",
  commandFlags: { tools: ["Bash"], flags: "--dangerously-skip-permissions" },
  permissionModes: [
    {
      name: "edits",
      flags: ["--permission-mode", "acceptEdits"],
      meaning: "may edit files; commands need a rule in its own settings",
    },
    {
      name: "all",
      flags: ["--dangerously-skip-permissions"],
      meaning: "may do all that you may, unasked; best in a container, not as root",
    },
    { name: "own", flags: [], meaning: "may do what its own settings allow; by default no edits" },
  ],
  unattendedFlags: (flags) =>
    unlessGiven(flags, ["--dangerously-skip-permissions", "--permission-mode"], ["--dangerously-skip-permissions"]),
  sealedFlags: (flags) => [
    ...unlessGiven(flags, ["--setting-sources"], ["--setting-sources", "user"]),
    ...unlessGiven(flags, ["--strict-mcp-config"], ["--strict-mcp-config"]),
  ],
  hookFlags: claudeHookFlags,
  // A command in the background keeps the process alive for ten minutes after its result (seen in 2.1.325).
  env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
  terminalWords: [],
  invocation(order) {
    const argv = [order.command, "-p", ...outputFlags(order), ...contextFlags(order), ...order.flags];
    return {
      ...deliverPrompt(order, { forStdin: argv, forArgument: [...argv, "--"] }),
      usesAnswerFile: false,
      isReadOnly: flagValue(order.flags, ["--permission-mode"]) === "plan",
    };
  },
  createReader: () => createMessageStreamReader(changingTools),
};

const changingTools = new Set(["Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"]);

/** Without `--verbose` the stream is refused. */
function outputFlags({ mode }: InvocationRequest): string[] {
  return mode === "stream" ? ["--output-format", "stream-json", "--verbose"] : ["--output-format", "text"];
}

function contextFlags({ flags, model, sessionId }: InvocationRequest): string[] {
  return [
    ...(model === null ? [] : unlessGiven(flags, ["--model"], ["--model", model])),
    ...(sessionId === null ? [] : ["--resume", sessionId]),
  ];
}
