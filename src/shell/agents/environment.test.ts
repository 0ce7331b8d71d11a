import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "./adapter.ts";
import { ampAdapter } from "./amp/amp-adapter.ts";
import { claudeAdapter } from "./claude/claude-adapter.ts";
import { codexAdapter } from "./codex/codex-adapter.ts";
import { commandAdapter } from "./command/command-adapter.ts";
import { agentEnvironment } from "./environment.ts";
import { copilotAdapter } from "./copilot/copilot-adapter.ts";
import { geminiAdapter } from "./gemini/gemini-adapter.ts";
import { opencodeAdapter } from "./opencode/opencode-adapter.ts";

const adapters = [
  claudeAdapter,
  codexAdapter,
  ampAdapter,
  opencodeAdapter,
  geminiAdapter,
  copilotAdapter,
  commandAdapter,
];

function environment(adapter: AgentAdapter, base: Record<string, string | undefined>, keepEnv: string[] = []) {
  return agentEnvironment({ base, adapter, adapters, keepEnv, extra: { RALPH_RUN_ID: "r1", RALPH_TURN: "r1.2" } });
}

describe("agentEnvironment", () => {
  it("removes what a surrounding agent session sets, and keeps the person's own settings", () => {
    const markers = {
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_SESSION_ID: "x",
      CLAUDE_PID: "1",
      CLAUDE_PROJECT_DIR: "/p",
      CLAUDE_PLUGIN_ROOT: "/q",
      CLAUDE_ENV_FILE: "/e",
      OPENCODE: "1",
      OPENCODE_PID: "2",
      CODEX_THREAD_ID: "t",
      CODEX_SANDBOX_NETWORK_DISABLED: "1",
      GEMINI_CLI: "1",
      COPILOT_CLI: "1",
    };
    const own = {
      PATH: "/bin",
      CLAUDE_CODE_MAX_RETRIES: "2",
      CLAUDE_CONFIG_DIR: "/c",
      CODEX_HOME: "/h",
      OPENCODE_CONFIG: "/o",
    };
    for (const adapter of adapters) {
      const result = environment(adapter, { ...markers, ...own });
      expect(result).toMatchObject(own);
      expect(Object.keys(result).filter((name) => name in markers)).toEqual([]);
    }
  });

  it("keeps only the own provider's key when several are set", () => {
    const keys = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", AMP_API_KEY: "m" };
    const kept = (adapter: AgentAdapter) => Object.keys(environment(adapter, keys)).filter((name) => name in keys);
    expect(kept(claudeAdapter)).toEqual(["ANTHROPIC_API_KEY"]);
    expect(kept(codexAdapter)).toEqual(["OPENAI_API_KEY"]);
    expect(kept(opencodeAdapter)).toEqual(["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]);
    expect(kept(geminiAdapter)).toEqual([]);
  });

  it("never takes a token of the code host away: every agent's tools push with it", () => {
    const tokens = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GH_TOKEN: "g", GITHUB_TOKEN: "h" };
    for (const adapter of adapters)
      expect(environment(adapter, tokens)).toMatchObject({ GH_TOKEN: "g", GITHUB_TOKEN: "h" });
  });

  it("keeps the one key that is set, and all keys for a program it knows nothing of", () => {
    expect(environment(claudeAdapter, { OPENAI_API_KEY: "o" })).toHaveProperty("OPENAI_API_KEY");
    const keys = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
    expect(environment(commandAdapter, keys)).toMatchObject(keys);
  });

  it("keeps what the settings name, with the person's value", () => {
    const base = {
      CLAUDECODE: "1",
      ANTHROPIC_API_KEY: "a",
      OPENAI_API_KEY: "o",
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "0",
    };
    expect(environment(claudeAdapter, base, Object.keys(base))).toMatchObject(base);
  });

  it("sets the adapter's variables and those of the turn, over inherited ones", () => {
    const result = environment(claudeAdapter, {
      RALPH_TURN: "old",
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "0",
      GONE: undefined,
    });
    expect(result).toEqual({ RALPH_RUN_ID: "r1", RALPH_TURN: "r1.2", CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" });
  });
});
