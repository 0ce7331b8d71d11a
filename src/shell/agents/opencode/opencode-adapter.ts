import type { AgentAdapter, InvocationRequest } from "../adapter.ts";
import { deliverPrompt, unlessGiven } from "../command-line.ts";
import { opencodePluginEnv } from "./opencode-plugin-env.ts";
import { createOpencodeReader } from "./opencode-reader.ts";

/** OpenCode. An argument with spaces reaches the model in literal quotes, so the prompt goes by standard input. */
export const opencodeAdapter: AgentAdapter = {
  name: "opencode",
  commands: ["opencode"],
  // Of models that it has no price for it tells none.
  reportsCost: true,
  isBilledByToken: true,
  spendCovers: "process",
  readUsage: null,
  // It speaks to any provider, so every provider's key may be its own.
  keyVariables: [
    "ANTHROPIC_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENCODE_API_KEY",
    "OPENROUTER_API_KEY",
    "XAI_API_KEY",
  ],
  hostMarkers: ["OPENCODE", "OPENCODE_PID", "OPENCODE_PROCESS_ROLE", "OPENCODE_RUN_ID", "OPENCODE_SESSION_ID"],
  signIn: null,
  editFlags: "--auto",
  permissionModes: [
    {
      name: "project",
      flags: [],
      meaning: "may edit and run commands here; what its settings ask is refused",
    },
    { name: "all", flags: ["--auto"], meaning: "may do everything that its own settings do not deny" },
  ],
  pluginEnv: opencodePluginEnv,
  env: {},
  terminalWords: ["--prompt"],
  invocation(order) {
    const argv = [order.command, "run", ...ownFlags(order), ...order.flags];
    return {
      ...deliverPrompt(order, { forStdin: argv, forArgument: [...argv, "--"] }),
      usesAnswerFile: false,
      isReadOnly: false,
    };
  },
  createReader: createOpencodeReader,
};

function ownFlags({ flags, mode, model, sessionId }: InvocationRequest): string[] {
  return [
    ...(mode === "stream" ? unlessGiven(flags, ["--format"], ["--format", "json"]) : []),
    ...(model === null ? [] : unlessGiven(flags, ["-m", "--model"], ["-m", model])),
    ...(sessionId === null ? [] : ["-s", sessionId]),
  ];
}
