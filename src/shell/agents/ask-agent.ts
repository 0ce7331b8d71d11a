import type { RunContext } from "../drivers/run-context.ts";
import { captureOutput } from "../checks/captured-output.ts";
import { agentEnvironment } from "./environment.ts";

/** An answer in text mode, or null when the agent failed. */
export type Answer = string | null;

/** A message or a judgement is short work (design §8: delivery 5 min a step). */
const answerWallMs = 5 * 60_000;
const answerCharsMax = 20_000;

/** Asks the run's agent one question in a fresh context and text mode, which tells neither tokens nor price. */
export async function askAgent(
  context: RunContext,
  { prompt, marker, signal }: { prompt: string; marker: string; signal: AbortSignal },
): Promise<Answer> {
  const { settings, projectDir } = context.frozen;
  const answerFile = `${context.folder}/streams/${context.runId}/answer-${marker}.txt`;
  const invocation = context.adapter.invocation({
    command: context.command,
    flags: context.flags,
    model: settings.agent.model,
    prompt,
    mode: "text",
    sessionId: null,
    promptVia: settings.agent.promptVia,
    answerFile,
  });
  if (invocation.usesAnswerFile) await context.disk.writeAtomic(answerFile, "");
  const output = captureOutput(answerCharsMax, "head");
  const start = await context.processes.start({
    argv: invocation.argv,
    cwd: projectDir,
    env: agentEnvironment({
      base: context.env,
      adapter: context.adapter,
      adapters: context.adapters,
      keepEnv: settings.agent.keepEnv,
      extra: { RALPH_RUN_ID: context.runId, RALPH_TURN: marker },
    }),
    stdin: invocation.stdin,
    marker,
    idleMs: null,
    wallMs: answerWallMs,
    killGraceMs: context.killGraceMs,
    onStdout: (chunk) => {
      output.add(chunk);
      return undefined;
    },
    onStderr: (chunk) => context.onStderr(chunk),
  });
  if (!start.isStarted) return null;
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  const end = await start.process.ended;
  signal.removeEventListener("abort", cut);
  if (end.exitCode !== 0) return null;
  return invocation.usesAnswerFile ? context.disk.readText(answerFile) : output.text();
}
