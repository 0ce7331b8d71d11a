import { spawn } from "node:child_process";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { TerminalEnd, TerminalProgram } from "../ports.ts";

/** Runs a program in the foreground of this terminal. It shares the terminal's group, so Ctrl-C reaches it by itself. */
export async function runOnTerminal({ argv, cwd, env }: TerminalProgram): Promise<TerminalEnd> {
  const [program = "", ...words] = argv;
  // Ctrl-C belongs to the program while it runs: we only must not die of it.
  const stay = (): void => undefined;
  process.on("SIGINT", stay);
  try {
    return await new Promise<TerminalEnd>((resolve, reject) => {
      spawn(program, words, { cwd, env, stdio: "inherit" })
        .once("error", reject)
        .once("exit", (exitCode, signal) => resolve({ isStarted: true, exitCode, signal }));
    });
  } catch (error) {
    return { isStarted: false, message: thrownText(error) };
  } finally {
    process.off("SIGINT", stay);
  }
}
