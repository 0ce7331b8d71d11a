import type { RunContext } from "../drivers/run-context.ts";
import { captureOutput } from "../checks/captured-output.ts";

/** How a helper program ended; -1 when it could not run or was cut. */
export type ToolEnd = { exitCode: number; output: string };

/** A step of delivery may take this long (design §8): a push over a slow line, but not a hidden password prompt. */
const toolWallMs = 5 * 60_000;
const outputCharsMax = 10_000;

/** Runs a program by argv in the project, without a terminal: nothing it asks can hang the run. */
export async function runTool(
  context: RunContext,
  { argv, marker, signal }: { argv: string[]; marker: string; signal: AbortSignal },
): Promise<ToolEnd> {
  const output = captureOutput(outputCharsMax, "tail");
  const take = (chunk: Uint8Array): undefined => {
    output.add(chunk);
    return undefined;
  };
  const start = await context.processes.start({
    argv,
    cwd: context.frozen.projectDir,
    env: {
      ...context.env,
      GIT_TERMINAL_PROMPT: "0",
      GIT_SSH_COMMAND: context.env["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes",
      RALPH_RUN_ID: context.runId,
      RALPH_TURN: marker,
    },
    stdin: null,
    marker,
    idleMs: null,
    wallMs: toolWallMs,
    killGraceMs: context.killGraceMs,
    onStdout: take,
    onStderr: take,
  });
  if (!start.isStarted) return { exitCode: -1, output: start.message };
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  const end = await start.process.ended;
  signal.removeEventListener("abort", cut);
  return { exitCode: end.exitCode ?? -1, output: output.text() };
}
