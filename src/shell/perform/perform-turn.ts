import { mayComplete } from "../../core/claims/judge-claim.ts";
import { emptyReport, type StartError, type TurnReport } from "../../core/agents/turn-report.ts";
import type { Failure } from "../../core/agents/agent-event.ts";
import type { Spend } from "../../core/agents/spend.ts";
import { turnMode } from "../../core/settings/run/turn-mode.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { deniedRemedy } from "../agents/denied-remedy.ts";
import { readAnswer } from "../agents/ask-agent.ts";
import { priceFinder } from "../agents/price-finder.ts";
import { missingSignIn } from "../agents/sign-in.ts";
import { secretsOf } from "../processes/redacting-processes.ts";
import { createTurnReader, type StreamFacts, type TurnReader } from "../streams/turn-reader.ts";
import { createTurnText, type TurnText } from "../streams/turn-text.ts";
import { captureOutput } from "../lib/captured-output.ts";
import type { ProcessEnd, RunningProcess } from "../ports.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { keepPrompt } from "./keep-prompt.ts";
import type { News } from "../../core/run/news.ts";
import { fixCandidate } from "../delivery/run-candidate.ts";
import type { RunContext } from "../run-context.ts";
import { spentBefore, usageTotal } from "./session-spend.ts";
import { type BeginTurn, turnProcess, turnPrompt } from "./turn-process.ts";

/** What performing a turn needs beyond the run itself. */
export type TurnTools = { context: RunContext; events: EventBuffer; post: (news: News) => void; signal: AbortSignal };

/** Raw output kept of one turn, head and tail. */
const streamBytesMax = 64 * 1024 * 1024;

/** Characters kept of standard error, half of each end: the first or the last lines say why a program gave up. */
const errorCharsMax = 2000;

/** One stretch of agent work: compose the prompt, start the program, read its stream, report facts. */
export async function performTurn(effect: BeginTurn, tools: TurnTools): Promise<void> {
  const { context, post } = tools;
  const prompt = (await missingSignIn(context)) ?? (await turnPrompt(effect, context));
  if (typeof prompt !== "string") return post(failedStart(effect, prompt));
  context.onPrompt?.(prompt);
  await keepPrompt(context, effect.iteration, prompt);
  const before = await context.fingerprint(effect.id);
  const words = createTurnText();
  const reader = await readerOf(effect, tools, { prompt, words });
  const errorOutput = captureOutput(errorCharsMax, "both");
  const stream = { runId: context.runId, kind: "stream" as const, name: String(effect.id) };
  const log = context.artefacts.append(stream, streamBytesMax, "replace");
  const watch = watchProgress(reader, effect.id, tools);
  const { order, isReadOnly, answer } = turnProcess(effect, context, prompt);
  if (answer !== null) await context.artefacts.put(answer, "");
  const start = await context.processes.start({
    ...order,
    onStdout: (chunk) => {
      if (answer === null) reader.push(chunk);
      watch.look();
      return log.write(chunk);
    },
    onStderr: (chunk) => {
      errorOutput.add(chunk);
      return context.onStderr(chunk);
    },
  });
  if (!start.isStarted) {
    await log.close();
    return post(failedStart(effect, { kind: start.kind, message: start.message }));
  }
  const { process } = start;
  post(startedTurn(effect, process));
  watch.onResult = () => process.endAfterSilence(effect.limits.resultGraceMs);
  watch.look();
  const cut = (): void => process.cut();
  tools.signal.addEventListener("abort", cut, { once: true });
  if (tools.signal.aborted) cut();
  const end = await process.ended;
  watch.close();
  tools.signal.removeEventListener("abort", cut);
  const { problem } = await log.close();
  if (problem !== null) await context.note("warning", `The agent's output could not be kept: ${problem}`);
  const total = await usageTotal(context, effect.id);
  if (total !== null) reader.tellSpend(total);
  if (answer !== null) reader.push(Buffer.from((await readAnswer(context, answer)) ?? ""));
  const report = reportOf(reader, { end, isReadOnly }, context);
  if (report.survivors.length > 0)
    await context.note("warning", `Processes of the turn could not be ended: ${report.survivors.join(", ")}.`);
  if (isJudged(context)) await keepWords(effect, context, words);
  // All processes of the turn are gone: one look from now on serves for its progress and for the candidate.
  const lookedSinceUpMs = performance.now();
  const after = before === null ? null : await context.fingerprint(effect.id);
  const isTreeChanged = before === null ? null : before !== after;
  const isCandidate = mayComplete(report.claims, context.frozen.policy);
  const turnMarker = `${context.runId}.${effect.id}`;
  const candidate = isCandidate ? await fixCandidate(context, turnMarker, { lookedSinceUpMs }) : null;
  post({
    type: "turn-ended",
    effectId: effect.id,
    report: { ...report, isTreeChanged, errorOutput: errorOutput.text() },
    candidate,
  });
}

function startedTurn({ id }: BeginTurn, { identity, ownNamespace }: RunningProcess): News {
  const { pid, startTime } = identity;
  const place = ownNamespace === undefined ? {} : { ownNamespace };
  return { type: "turn-started", effectId: id, pid, startTime, ...place };
}

async function readerOf(
  effect: BeginTurn,
  { context, events }: TurnTools,
  { prompt, words }: { prompt: string; words: TurnText },
): Promise<TurnReader> {
  const { completionResponse, completion } = context.frozen.settings;
  const areWordsKept = isJudged(context);
  return createTurnReader({
    adapter: context.adapter,
    flags: context.flags,
    mode: turnMode(context.frozen),
    prompt,
    expected: completionResponse,
    placement: completion.placement,
    signals: completion.signals,
    priceOf: priceFinder({ ...context, settings: context.frozen.settings }),
    secrets: secretsOf({ ...context, settings: context.frozen.settings }),
    spentBefore: await spentBefore(context, { effectId: effect.id, sessionId: effect.sessionId }),
    onEvent: (event) => {
      if (areWordsKept) words.add(event);
      events.add(event, effect.id);
      context.sink.agentEvent(event, effect.id);
    },
  });
}

/** A check of this run may ask what the agent said. */
function isJudged({ frozen }: RunContext): boolean {
  return frozen.contract?.gates.some(({ tells }) => tells === "reason") === true;
}

/** Written before the turn is reported, so that a criterion finds the words also after a crash. */
async function keepWords(effect: BeginTurn, context: RunContext, words: TurnText): Promise<void> {
  try {
    const { runId, artefacts } = context;
    await artefacts.put({ runId, kind: "turn-text", name: String(effect.iteration) }, words.text());
  } catch (error) {
    await context.note("warning", `The agent's words could not be kept for the judge: ${String(error)}`);
  }
}

/** Between two reports of progress. */
const progressMs = 1000;

/** An agent that has reported its result is about to end: the report of its turn is better than one more of its progress. */
const resultMs = 5000;

/** Reports spend and session while the turn runs: only on a change, at most once a second, the last one always. */
function watchProgress(reader: TurnReader, effectId: number, { context, post }: TurnTools) {
  const closed = new AbortController();
  // The first report comes a second after the start too: a turn that is over by then reports everything itself.
  let dueMs = context.clock.upMs() + progressMs;
  let last: { spend: Spend; sessionId: string | null } | null = null;
  let results = 0;
  let isWaiting = false;
  const lookLater = async (waitMs: number): Promise<void> => {
    if (isWaiting) return;
    isWaiting = true;
    const isOver = await context.clock.wait(waitMs, closed.signal);
    isWaiting = false;
    if (isOver) watch.look();
  };
  const watch = {
    onResult: null as (() => void) | null,
    look(): void {
      const { spend, sessionId, resultCount } = reader.progress();
      if (resultCount > results && watch.onResult !== null) {
        results = resultCount;
        dueMs = context.clock.upMs() + resultMs;
        watch.onResult();
      }
      const isSame = last !== null && last.spend === spend && last.sessionId === sessionId;
      if (isSame || watch.onResult === null) return;
      const waitMs = dueMs - context.clock.upMs();
      if (waitMs > 0) return void lookLater(waitMs);
      dueMs = context.clock.upMs() + progressMs;
      last = { spend, sessionId };
      post({ type: "turn-progressed", effectId, spend, sessionId });
    },
    close: () => closed.abort(),
  };
  return watch;
}

function reportOf(
  reader: TurnReader,
  { end, isReadOnly }: { end: ProcessEnd; isReadOnly: boolean },
  context: RunContext,
): TurnReport {
  const facts = reader.end();
  return {
    ...emptyReport,
    ...facts,
    startError: end.startError ?? null,
    tools: isReadOnly ? readOnlyTools(facts) : facts.tools,
    failure:
      facts.failure === null ? null : explained(facts.failure, context.adapter, context.frozen.settings.agent.model),
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.timedOut,
    isCut: end.isCut,
    isForced: end.isForced,
    deniedRemedy: deniedRemedy(context.adapter, context.flags, reader.deniedTools()),
    survivors: end.survivors,
  };
}

/** Where the command line forbids edits, a refused one may show nowhere; work without a claim was meant to change files. */
function readOnlyTools({ tools, claims }: StreamFacts): TurnReport["tools"] {
  if (claims.isPromised || claims.response !== null) return tools;
  return { ...tools, changes: 0, deniedChanges: Math.max(1, tools.deniedChanges) };
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
