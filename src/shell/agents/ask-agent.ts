import { hideSecrets } from "../../core/text/known-secrets.ts";
import { captureOutput } from "../lib/captured-output.ts";
import type { Artefact, Artefacts, Processes, ProcessStart } from "../ports.ts";
import { secretsOf } from "../processes/redacting-processes.ts";
import { agentProcess, type AgentContext } from "./agent-process.ts";

/** An answer in text mode, or null when the agent failed. */
export type Answer = string | null;

/** How a question ended: the answer, or what is known of the failure. Facts, no judgement. */
export type AskedAgent = {
  answer: Answer;
  startError: { kind: Extract<ProcessStart, { isStarted: false }>["kind"]; message: string } | null;
  isTimedOut: boolean;
  exitCode: number | null;
  /** What it printed on standard output, whatever its exit code, and the end of standard error. */
  output: string;
  errorOutput: string;
};

/** Where a question is asked: a run, or a command that needs no run. */
export type AskContext = AgentContext & {
  processes: Pick<Processes, "start">;
  /** They hold the answer file of an agent that needs one. */
  artefacts: Pick<Artefacts, "read" | "put" | "localPath">;
  onStderr: (chunk: Uint8Array) => Promise<void> | undefined;
};

/** `model` asks for another than that of the settings; of a longer answer the head is kept. */
export type Question = {
  /** A verdict, or anything else. */
  purpose: "agent" | "judge";
  prompt: string;
  turnMarker: string;
  signal: AbortSignal;
  model?: string | null;
  wallMs?: number;
  charsMax?: number;
};

/** A message or a judgement is short work (delivery 5 min a step). */
const answerWallMs = 5 * 60_000;
const answerCharsMax = 20_000;

/** The last lines of standard error say why a program gave up. */
const errorCharsMax = 1000;

/** Asks the agent one question in a fresh context and text mode, which tells neither tokens nor price. */
export async function askAgent(context: AskContext, question: Question): Promise<Answer> {
  return (await questionAgent(context, question)).answer;
}

/** The same, with the reason for a missing answer. */
export async function questionAgent(context: AskContext, question: Question): Promise<AskedAgent> {
  const { purpose, prompt, turnMarker, signal, charsMax = answerCharsMax, wallMs = answerWallMs } = question;
  const kept = answerOf(context, turnMarker);
  const { order, invocation } = agentProcess(context, {
    purpose,
    prompt,
    mode: "text",
    sessionId: null,
    answerFile: context.artefacts.localPath(kept),
    model: question.model ?? null,
    turnMarker,
    limits: { idleMs: null, wallMs },
  });
  if (invocation.usesAnswerFile) await context.artefacts.put(kept, "");
  const output = captureOutput(charsMax, "head");
  const errorOutput = captureOutput(errorCharsMax, "tail");
  const start = await context.processes.start({
    ...order,
    onStdout: (chunk) => {
      output.add(chunk);
      return undefined;
    },
    onStderr: (chunk) => {
      errorOutput.add(chunk);
      return context.onStderr(chunk);
    },
  });
  if (!start.isStarted) return { ...unanswered, startError: { kind: start.kind, message: start.message } };
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  const { exitCode, timedOut } = await start.process.ended;
  signal.removeEventListener("abort", cut);
  const said = { output: output.text(), errorOutput: errorOutput.text() };
  const end = { ...unanswered, ...said, exitCode, isTimedOut: timedOut !== null };
  if (exitCode !== 0) return end;
  return { ...end, answer: invocation.usesAnswerFile ? await readAnswer(context, kept) : said.output };
}

/** Where an agent that writes its answer into a file puts it. */
export function answerOf({ runId }: Pick<AskContext, "runId">, turnMarker: string): Artefact {
  return { runId, kind: "answer", name: turnMarker.replaceAll("/", "-") };
}

const unanswered: AskedAgent = {
  answer: null,
  startError: null,
  isTimedOut: false,
  exitCode: null,
  output: "",
  errorOutput: "",
};

/** The answer in a file. One that cannot be read, for example a pipe, gives none. */
export async function readAnswer(
  { artefacts, frozen, env, adapters }: Pick<AskContext, "artefacts" | "frozen" | "env" | "adapters">,
  kept: Artefact,
): Promise<Answer> {
  const answer = await artefacts.read(kept).catch(() => null);
  return answer === null ? null : hideSecrets(answer, secretsOf({ settings: frozen.settings, env, adapters }));
}
