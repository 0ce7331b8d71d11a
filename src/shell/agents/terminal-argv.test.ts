import { expect, it } from "vitest";
import { allAgents } from "../wire-agents.ts";
import { chooseAdapter } from "./registry.ts";
import { terminalArgv } from "./terminal-argv.ts";

it.each([
  ["claude", ["claude", "--model", "m", "Plan"]],
  ["codex", ["codex", "--model", "m", "Plan"]],
  ["gemini", ["gemini", "--model", "m", "--prompt-interactive", "Plan"]],
  ["opencode", ["opencode", "--model", "m", "--prompt", "Plan"]],
  ["copilot", ["copilot", "--model", "m", "--interactive", "Plan"]],
  ["my-agent", ["my-agent", "Plan"]],
  ["amp", null],
])("starts %s on a terminal with a first prompt, or says that it cannot (S4-86)", (command, argv) =>
  expect(terminalArgv({ adapter: chooseAdapter(command, allAgents([])), command, model: "m", prompt: "Plan" })).toEqual(
    argv,
  ),
);
