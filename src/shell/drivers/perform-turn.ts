import { emptyReport, type StartError, type TurnReport } from "../../core/agents/turn-report.ts";
import type { Failure } from "../../core/agents/agent-event.ts";
import type { Spend } from "../../core/agents/spend.ts";
import type { TextRef } from "../../core/checks/verdict.ts";
import type { Effect } from "../../core/engine/effect.ts";
import type { Feedback } from "../../core/policies/feedback.ts";
import { composePrompt } from "../../core/prompts/compose-prompt.ts";
import { agentEnvironment } from "../agents/environment.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { createTurnReader, type TurnReader } from "../agents/turn-reader.ts";
import type { ProcessEnd, ProcessOrder } from "../ports.ts";
import { streamPath } from "../stores/stream-path.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { News } from "./outer-driver.ts";
import type { RunContext } from "./run-context.ts";

type BeginTurn = Extract<Effect, { type: "begin-turn" }>;

/** What performing a turn needs beyond the run itself. */
export type TurnTools = { context: RunContext; events: EventBuffer; post: (news: News) => void; signal: AbortSignal };

/** Raw output kept of one turn, head and tail (design §8). */
const streamBytesMax = 64 * 1024 * 1024;

/** One stretch of agent work: compose the prompt, start the program, read its stream, report facts. */
export async function performTurn(effect: BeginTurn, tools: TurnTools): Promise<void> {
  const { context, post } = tools;
  const prompt = await turnPrompt(effect, context);
  if (typeof prompt !== "string") return post(failedStart(effect, prompt));
  const before = await context.fingerprint();
  const reader = createTurnReader({
    adapter: context.adapter,
    flags: context.flags,
    prompt,
    expected: context.frozen.settings.completionResponse,
    placement: context.frozen.settings.completion.placement,
    signals: context.frozen.settings.completion.signals,
    onEvent: (event) => {
      tools.events.add(event, effect.id);
      context.sink.agentEvent(event, effect.id);
    },
  });
  const log = context.disk.openLog(streamPath(context.folder, context.runId, effect.id), streamBytesMax);
  const watch = watchProgress(reader, effect.id, tools);
  const start = await context.processes.start({
    ...turnOrder(effect, context, prompt),
    onStdout: (chunk) => {
      reader.push(chunk);
      watch.look();
      return log.write(chunk);
    },
    onStderr: (chunk) => context.onStderr(chunk),
  });
  if (!start.isStarted) {
    await log.close();
    return post(failedStart(effect, { kind: start.kind, message: start.message }));
  }
  const { process } = start;
  post({ type: "turn-started", effectId: effect.id, ...process.identity });
  watch.onResult = () => process.endAfterSilence(effect.limits.resultGraceMs);
  watch.look();
  const cut = (): void => process.cut();
  tools.signal.addEventListener("abort", cut, { once: true });
  if (tools.signal.aborted) cut();
  const end = await process.ended;
  tools.signal.removeEventListener("abort", cut);
  const { problem } = await log.close();
  if (problem !== null) await context.note("warning", `The agent's output could not be kept: ${problem}`);
  const after = before === null ? null : await context.fingerprint();
  const isTreeChanged = before === null ? null : before !== after;
  post({ type: "turn-ended", effectId: effect.id, report: { ...reportOf(reader, end, context), isTreeChanged } });
}

/** The composed prompt, or why there is none: the file is read again at every iteration (S1-38, CB-14). */
async function turnPrompt(effect: BeginTurn, context: RunContext): Promise<string | StartError> {
  const source = context.frozen.prompt;
  const base = source.kind === "text" ? source.text : await readPromptFile(source.path, context);
  if (typeof base !== "string") return base;
  const texts = new Map<string, string>();
  for (const item of effect.feedback) {
    const ref = longText(item);
    if (ref !== null && "blob" in ref) texts.set(ref.blob, (await context.store.getBlob(ref.blob)) ?? "(output lost)");
  }
  const readText = (ref: TextRef): string => ("blob" in ref ? (texts.get(ref.blob) ?? "") : ref.text);
  const { settings } = context.frozen;
  const { iteration, iterationsMax, feedback } = effect;
  return composePrompt({ base, feedback, readText, settings, iteration, iterationsMax });
}

/** The part of a feedback that may lie in a blob. */
function longText(item: Feedback): TextRef | null {
  if (item.kind === "guardrail" || item.kind === "criterion") return item.output;
  return item.kind === "answer" ? item.text : null;
}

async function readPromptFile(path: string, context: RunContext): Promise<string | StartError> {
  const text = await context.disk.readText(path).catch((cause: unknown) => String(cause));
  if (text === null) return { kind: "prompt", message: `The prompt file ${path} is gone; restore it and resume.` };
  return text.replace(/[\r\n]+$/, "");
}

function turnOrder(
  effect: BeginTurn,
  context: RunContext,
  prompt: string,
): Omit<ProcessOrder, "onStdout" | "onStderr"> {
  const { settings, projectDir } = context.frozen;
  const invocation = context.adapter.invocation({
    command: context.command,
    flags: context.flags,
    model: settings.agent.model,
    prompt,
    mode: "stream",
    sessionId: effect.sessionId,
    promptVia: settings.agent.promptVia,
    answerFile: `${projectDir}/.ralph/answer.txt`,
  });
  const marker = `${context.runId}.${effect.id}`;
  return {
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
    idleMs: effect.limits.idleMs,
    wallMs: effect.limits.wallMs,
    killGraceMs: context.killGraceMs,
  };
}

/** Reports spend and session while the turn runs: only on a change, at most once a second. */
function watchProgress(reader: TurnReader, effectId: number, { context, post }: TurnTools) {
  let lastMs = -Infinity;
  let last: { spend: Spend; sessionId: string | null } | null = null;
  let results = 0;
  const watch = {
    onResult: null as (() => void) | null,
    look(): void {
      const { spend, sessionId, resultCount } = reader.progress();
      if (resultCount > results && watch.onResult !== null) {
        results = resultCount;
        watch.onResult();
      }
      const isSame = last !== null && last.spend === spend && last.sessionId === sessionId;
      if (isSame || watch.onResult === null || context.clock.upMs() - lastMs < 1000) return;
      lastMs = context.clock.upMs();
      last = { spend, sessionId };
      post({ type: "turn-progressed", effectId, spend, sessionId });
    },
  };
  return watch;
}

function reportOf(reader: TurnReader, end: ProcessEnd, context: RunContext): TurnReport {
  const facts = reader.end();
  return {
    ...emptyReport,
    ...facts,
    failure:
      facts.failure === null ? null : explained(facts.failure, context.adapter, context.frozen.settings.agent.model),
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.timedOut,
    isCut: end.isCut,
    isForced: end.isForced,
    deniedRemedy: context.adapter.editFlags,
    survivors: end.survivors,
  };
}

/** Names what a person has to look at: the key's variable, or the model. */
function explained(failure: Failure, adapter: AgentAdapter, model: string | null): Failure {
  const message = failure.message.replace(/\.?\s*$/, ".");
  if (failure.kind === "authentication" && adapter.keyVariables.length > 0)
    return { ...failure, message: `${message} Check ${adapter.keyVariables.join(" or ")}.` };
  if (failure.kind === "model")
    return { ...failure, message: `${message} Check agent.model, now ${model ?? "the agent's own default"}.` };
  return { ...failure, message };
}

function failedStart(effect: BeginTurn, startError: StartError): News {
  return { type: "turn-ended", effectId: effect.id, report: { ...emptyReport, startError } };
}
