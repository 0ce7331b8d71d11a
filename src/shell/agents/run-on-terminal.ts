import { spawn } from "node:child_process";
import type { AgentAdapter } from "./adapter.ts";

/** What to start on the terminal of the person who asked for it. */
export type TerminalOptions = {
  adapter: AgentAdapter;
  command: string;
  model: string | null;
  prompt: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/** The command line for a conversation; null when the program takes no first prompt on a terminal. */
export function terminalArgv({
  adapter,
  command,
  model,
  prompt,
}: Omit<TerminalOptions, "cwd" | "env">): string[] | null {
  if (adapter.terminalWords === undefined) return null;
  const modelWords = model === null || adapter.name === "command" ? [] : ["--model", model];
  return [command, ...modelWords, ...adapter.terminalWords, prompt];
}

/**
 * Runs a program in the foreground of this terminal and resolves with its exit code, -1 when it could not start. Ctrl-C is
 * the program's: it shares the terminal's group, so we only must not die of it.
 */
export async function runOnTerminal(argv: readonly string[], { cwd, env }: Pick<TerminalOptions, "cwd" | "env">) {
  const [program = "", ...words] = argv;
  const stay = (): void => undefined;
  process.on("SIGINT", stay);
  try {
    return await new Promise<number>((resolve) => {
      const child = spawn(program, words, { cwd, env, stdio: "inherit" });
      child.on("error", () => resolve(-1));
      child.on("close", (code) => resolve(code ?? -1));
    });
  } finally {
    process.off("SIGINT", stay);
  }
}
