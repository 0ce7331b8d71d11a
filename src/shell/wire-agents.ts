import { ampAdapter } from "./agents/amp/amp-adapter.ts";
import { claudeAdapter } from "./agents/claude/claude-adapter.ts";
import { codexAdapter } from "./agents/codex/codex-adapter.ts";
import { commandAdapter } from "./agents/command/command-adapter.ts";
import { copilotAdapter } from "./agents/copilot/copilot-adapter.ts";
import { geminiAdapter } from "./agents/gemini/gemini-adapter.ts";
import { opencodeAdapter } from "./agents/opencode/opencode-adapter.ts";
import type { AdapterList } from "./agents/registry.ts";
import { createSimAdapter } from "./agents/sim/sim-adapter.ts";

/** Every agent this program knows, without what runs them: `ralph status` names agents. `selfArgv` starts this program again. */
export function allAgents(selfArgv: readonly string[]): AdapterList {
  const imitated = [claudeAdapter, codexAdapter, ampAdapter, opencodeAdapter];
  const known = [...imitated, geminiAdapter, copilotAdapter, createSimAdapter(selfArgv, imitated)];
  return { known, fallback: commandAdapter };
}
