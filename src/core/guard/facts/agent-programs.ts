/** Programs of coding agents, whether ralph drives them or not: to end or to reconfigure one is never a part of a task. */
export const agentPrograms: readonly string[] = [
  "claude",
  "opencode",
  "codex",
  "gemini",
  "amp",
  "aider",
  "cursor-agent",
  "copilot",
];
