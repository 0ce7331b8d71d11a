import type { AgentAdapter } from "./adapter.ts";

/** What to start on the terminal of the person who asked for it. */
export type TerminalOptions = { adapter: AgentAdapter; command: string; model: string | null; prompt: string };

/** The command line for a conversation; null when the program takes no first prompt on a terminal. */
export function terminalArgv({ adapter, command, model, prompt }: TerminalOptions): string[] | null {
  if (adapter.terminalWords === undefined) return null;
  const modelWords = model === null || adapter.name === "command" ? [] : ["--model", model];
  return [command, ...modelWords, ...adapter.terminalWords, prompt];
}
