import type { AgentAdapter, Invocation, InvocationRequest } from "../adapter.ts";
import { flagValue, hasFlag, unlessGiven } from "../command-line.ts";
import { createCopilotReader } from "./copilot-reader.ts";
import { copilotUsage } from "./copilot-usage.ts";

/**
 * Copilot. Its stream tells no tokens; it writes them into a file, over the whole session. It gets no permission of its
 * own accord, and no update: a loop stays on the version it began with.
 */
export const copilotAdapter: AgentAdapter = {
  name: "copilot",
  commands: ["copilot"],
  reportsCost: false,
  spendCovers: "session",
  readUsage: copilotUsage,
  keyVariables: ["COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"],
  // Every other agent's tools push with them.
  sharedKeyVariables: ["GH_TOKEN", "GITHUB_TOKEN"],
  hostMarkers: [
    "COPILOT_AGENT_SESSION_ID",
    "COPILOT_CLI",
    "COPILOT_CLI_BINARY_VERSION",
    "COPILOT_CLI_RESOLVED_DIST_DIR",
  ],
  signIn: null,
  editFlags: "--allow-all-tools",
  permissionModes: [
    { name: "edits", flags: ["--allow-tool", "write"], meaning: "may edit files; commands are refused" },
    {
      name: "all",
      flags: ["--allow-all-tools"],
      meaning: "may use every tool, unasked; best in a container",
    },
  ],
  unattendedFlags: (flags) => unlessGiven(flags, ["--allow-all-tools", "--allow-tool"], ["--allow-all-tools"]),
  env: {},
  terminalWords: ["--interactive"],
  invocation(order) {
    const argv = [order.command, ...ownFlags(order), ...order.flags];
    return { ...deliver(order, argv), usesAnswerFile: false, isReadOnly: isPlanning(order.flags) };
  },
  createReader: createCopilotReader,
};

const usageFlag = "--usage-output-file";

function ownFlags({ flags, mode, model, sessionId, usageFile }: InvocationRequest): string[] {
  const forStream = [
    ...unlessGiven(flags, ["--output-format"], ["--output-format", "json"]),
    ...(usageFile === undefined ? [] : unlessGiven(flags, [usageFlag], [usageFlag, usageFile])),
  ];
  return [
    // Silent: only the agent's words, without the statistics.
    ...(mode === "stream" ? forStream : unlessGiven(flags, ["-s", "--silent"], ["-s"])),
    ...unlessGiven(flags, ["--no-auto-update"], ["--no-auto-update"]),
    ...(model === null ? [] : unlessGiven(flags, ["--model"], ["--model", model])),
    ...(sessionId === null ? [] : [`--resume=${sessionId}`]),
  ];
}

/** A plan that autopilot carries out changes files. */
function isPlanning(flags: readonly string[]): boolean {
  const mode = flagValue(flags, ["--mode"]);
  return mode === "plan" || (hasFlag(flags, ["--plan"]) && mode !== "autopilot" && !hasFlag(flags, ["--autopilot"]));
}

/** A prompt that begins with a dash would be a flag, so as an argument it is tied to its name. */
function deliver({ prompt, promptVia }: InvocationRequest, argv: string[]): Pick<Invocation, "argv" | "stdin"> {
  if (promptVia === "argument") return { argv: [...argv, `--prompt=${prompt}`], stdin: null };
  return { argv, stdin: prompt };
}
