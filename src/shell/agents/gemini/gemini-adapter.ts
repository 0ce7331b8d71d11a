import type { AgentAdapter, Invocation, InvocationRequest } from "../adapter.ts";
import { flagValue, unlessGiven } from "../command-line.ts";
import { geminiPrices } from "./gemini-prices.ts";
import { createGeminiReader } from "./gemini-reader.ts";

/**
 * Gemini. Without `--skip-trust` it refuses to start in a folder that nobody has trusted at a terminal (exit 55, seen in
 * 0.61.0). It gets no permission of its own accord: without one its editing tools are not even offered to the model.
 */
export const geminiAdapter: AgentAdapter = {
  name: "gemini",
  commands: ["gemini"],
  reportsCost: false,
  prices: geminiPrices,
  isBilledByToken: true,
  spendCovers: "process",
  readUsage: null,
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  hostMarkers: ["GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH"],
  signIn: null,
  editFlags: "--yolo",
  permissionModes: [
    {
      name: "edits",
      flags: ["--approval-mode", "auto_edit"],
      meaning: "may edit files; commands are refused",
    },
    {
      name: "all",
      flags: ["--yolo"],
      meaning: "may do all that you may, unasked; best in a container",
    },
  ],
  unattendedFlags: (flags) => unlessGiven(flags, ["--yolo", "-y", "--approval-mode"], ["--yolo"]),
  env: {},
  terminalWords: ["--prompt-interactive"],
  invocation(order) {
    const argv = [order.command, ...ownFlags(order), ...order.flags];
    return {
      ...deliver(order, argv),
      usesAnswerFile: false,
      isReadOnly: flagValue(order.flags, ["--approval-mode"]) === "plan",
    };
  },
  createReader: createGeminiReader,
};

function ownFlags({ flags, mode, model, sessionId }: InvocationRequest): string[] {
  return [
    ...unlessGiven(flags, ["-o", "--output-format"], ["--output-format", mode === "stream" ? "stream-json" : "text"]),
    ...unlessGiven(flags, ["--skip-trust"], ["--skip-trust"]),
    ...(model === null ? [] : unlessGiven(flags, ["-m", "--model"], ["-m", model])),
    ...(sessionId === null ? [] : ["--resume", sessionId]),
  ];
}

/** A prompt that begins with a dash would be a flag, so as an argument it is tied to its name. */
function deliver({ prompt, promptVia }: InvocationRequest, argv: string[]): Pick<Invocation, "argv" | "stdin"> {
  if (promptVia === "argument") return { argv: [...argv, `--prompt=${prompt}`], stdin: null };
  return { argv, stdin: prompt };
}
