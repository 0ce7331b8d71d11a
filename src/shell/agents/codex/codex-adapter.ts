import type { AgentAdapter, InvocationRequest } from "../adapter.ts";
import { deliverPrompt, flagValue, hasFlag, unlessGiven } from "../command-line.ts";
import { codexPrices } from "./codex-prices.ts";
import { createCodexReader } from "./codex-reader.ts";

/**
 * Codex. `--full-auto` is gone since 0.166; `-s workspace-write` is what it meant. A prompt file as argument would be
 * sent as the prompt itself, so the prompt goes by standard input (CW-1H). Outside git it wants `--skip-git-repo-check`.
 */
export const codexAdapter: AgentAdapter = {
  name: "codex",
  commands: ["codex"],
  reportsCost: false,
  prices: codexPrices,
  isBilledByToken: true,
  spendCovers: "session",
  readUsage: null,
  keyVariables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  hostMarkers: [
    "CODEX_CI",
    "CODEX_MANAGED_*",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "CODEX_TOOL_CALL_ID",
    "CODEX_VERSION",
  ],
  signIn: null,
  editFlags: "-s workspace-write",
  permissionModes: [
    { name: "project", flags: [], meaning: "may edit project files and run commands in its own sandbox" },
    {
      name: "all",
      flags: ["--dangerously-bypass-approvals-and-sandbox"],
      meaning: "may do all that you may, without a sandbox; best in a container",
    },
  ],
  env: {},
  terminalWords: [],
  invocation(order) {
    const argv = [order.command, "exec", ...ownFlags(order), ...order.flags, ...sessionArguments(order)];
    return {
      ...deliverPrompt(order, { forStdin: [...argv, "-"], forArgument: [...argv, "--"] }),
      usesAnswerFile: order.mode === "text",
      isReadOnly: sandboxOf(order.flags) === "read-only",
    };
  },
  createReader: createCodexReader,
};

const sandboxFlags = ["-s", "--sandbox"];
const bypassFlags = ["--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto"];

function ownFlags({ answerFile, flags, mode, model }: InvocationRequest): string[] {
  const hasSandbox = sandboxOf(flags) !== null || hasFlag(flags, bypassFlags);
  return [
    ...(mode === "stream" ? unlessGiven(flags, ["--json"], ["--json"]) : ["-o", answerFile]),
    ...(hasSandbox ? [] : ["-s", "workspace-write"]),
    ...(model === null ? [] : unlessGiven(flags, ["-m", "--model"], ["-m", model])),
  ];
}

/** The sandbox that the settings choose, by flag or by a configuration override. */
function sandboxOf(flags: readonly string[]): string | null {
  const override = flags.map((flag) => /^(?:-c|--config=)?sandbox_mode\s*=\s*"?([\w-]+)/.exec(flag)?.[1]);
  return flagValue(flags, sandboxFlags) ?? override.find((mode) => mode !== undefined) ?? null;
}

function sessionArguments({ sessionId }: InvocationRequest): string[] {
  return sessionId === null ? [] : ["resume", sessionId];
}
