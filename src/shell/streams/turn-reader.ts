import type { AgentEvent, Failure } from "../../core/agents/agent-event.ts";
import { estimateSpend, type ModelPrice } from "../../core/agents/model-price.ts";
import { noSpend, type Spend, subtractSpend, unknownSpend } from "../../core/agents/spend.ts";
import type { TurnReport } from "../../core/agents/turn-report.ts";
import { type ClaimOptions, createClaimScanner } from "../../core/claims/claim-scanner.ts";
import type { AgentAdapter, StreamReader } from "../agents/adapter.ts";
import { hideSecrets, type Secret } from "../../core/text/known-secrets.ts";
import { redactEvents } from "./redact-events.ts";
import { createToolTally } from "./tool-tally.ts";
import { eventSource, plainSource, type TurnSource } from "./turn-source.ts";

/** What to read and what counts as a claim in it. */
export type TurnReading = ClaimOptions & {
  adapter: AgentAdapter;
  flags: readonly string[];
  /** `text`: the agent was asked for its text alone, and all that it prints is text, whatever it looks like. */
  mode?: "stream" | "text";
  /** An agent that writes plain text may repeat it; an exact echo is not the agent's word. */
  prompt: string;
  /** What the continued session had cost before, where the agent's totals cover the whole of it. */
  spentBefore?: Spend;
  /** The price of the model that the stream names, null while it names none; absent: nothing is estimated. */
  priceOf?: (model: string | null) => ModelPrice | null;
  /** Hidden in every event; absent: none. */
  secrets?: readonly Secret[];
  /** Called for each event as it is read. Must not throw. */
  onEvent: (event: AgentEvent) => void;
};

/** The parts of a turn's report that its output tells. */
export type StreamFacts = Pick<
  TurnReport,
  "result" | "failure" | "claims" | "sessionId" | "spend" | "tools" | "output" | "isEmpty"
>;

export type TurnReader = {
  /** Never throws, whatever the bytes are: a broken or unknown line is counted and passed over. */
  push(chunk: Uint8Array): void;
  /** Takes over a total that the agent told elsewhere than in its stream. */
  tellSpend(total: Spend): void;
  /** What is known while the turn runs. `spend` is the same object until it changes. */
  progress(): { spend: Spend; sessionId: string | null; resultCount: number };
  /** The names of tools that can change files and were denied. */
  deniedTools(): string[];
  /** Call once, when no more output can come. */
  end(): StreamFacts;
};

/** Reads the output of one turn: bytes to lines, lines to events, events to facts. Keeps no text. */
export function createTurnReader(order: TurnReading): TurnReader {
  const reader = order.adapter.createReader(order.flags);
  const facts = createFacts(order, reader === null ? unknownSpend : noSpend);
  const { secrets = [] } = order;
  const told = redactEvents(secrets, facts.add);
  const source = sourceOf(order, reader, { ...facts, add: told.add });
  let bytes = 0;

  return {
    push(chunk) {
      bytes += chunk.byteLength;
      source.push(chunk);
    },
    tellSpend: (spend) => facts.add({ type: "usage", spend }),
    progress: facts.progress,
    deniedTools: facts.deniedTools,
    end() {
      const { lines, unparsedLines } = source.end();
      told.end();
      const failure = reader?.failure() ?? null;
      const message = hideSecrets(failure?.message ?? "", secrets);
      return facts.report(failure === null ? null : { ...failure, message }, { bytes, lines, unparsedLines });
    },
  };
}

function sourceOf(
  { adapter, prompt, mode = "stream" }: TurnReading,
  reader: StreamReader | null,
  { add, forgetWords }: ReturnType<typeof createFacts>,
): TurnSource {
  const plain = plainSource(prompt, add);
  if (reader === null || mode === "text") return plain;
  const text = `${adapter.name} prints plain text instead of its stream of events: it is read as text.`;
  return eventSource(reader, { add, plain, onPlain: () => add({ type: "notice", text }), onStream: forgetWords });
}

/** Gathers facts from events. `untold` is the spend of a turn that tells nothing: a program without a stream never tells it. */
function createFacts(
  { onEvent, spentBefore = noSpend, priceOf = () => null, ...claimOptions }: TurnReading,
  untold: Spend,
) {
  let scanner = createClaimScanner(claimOptions);
  const tally = createToolTally();
  let sessionId: string | null = null;
  let model: string | null = null;
  let spend = untold;
  let isSpendTold = false;
  let hasText = false;
  let resultCount = 0;
  let lastResult: Extract<AgentEvent, { type: "result" }> | null = null;

  const setSpend = (told: Spend): void => {
    spend = told;
    isSpendTold = true;
  };
  const noteWork = (): void => {
    // Work was done whose price is not told yet: unknown is never zero.
    if (!isSpendTold) spend = unknownSpend;
  };
  const noteText = ({ text, messageId, isSub }: Extract<AgentEvent, { type: "text" }>): void => {
    if (isSub) return;
    hasText ||= text.trim() !== "";
    scanner.text(text, messageId);
  };

  return {
    /** What was said so far were no words of the agent. */
    forgetWords: (): void => {
      scanner = createClaimScanner(claimOptions);
      hasText = false;
    },
    add: (told: AgentEvent): void => {
      if (told.type === "session") model = told.model ?? model;
      const event = priced(ofThisTurn(told, spentBefore), () => priceOf(model));
      if (workEvents.has(event.type)) noteWork();
      if (event.type === "session") sessionId = event.sessionId;
      else if (event.type === "text") noteText(event);
      else if (event.type === "tool-started" || event.type === "tool-ended") tally.add(event);
      else if (event.type === "usage") setSpend(event.spend);
      else if (event.type === "result") {
        resultCount += 1;
        lastResult = event;
        if (event.spend !== null) setSpend(event.spend);
      }
      onEvent(event);
    },
    progress: () => ({ spend, sessionId, resultCount }),
    deniedTools: () => tally.deniedNames(),
    report(openFailure: Failure | null, output: TurnReport["output"]): StreamFacts {
      const closing = lastResult === null ? noResult(openFailure) : closingOf(lastResult);
      if (!hasText && closing.text !== null) scanner.text(closing.text, "result");
      const { result, failure } = closing;
      const tools = tally.counts();
      const isEmpty = !hasText && (closing.text ?? "").trim() === "" && tools.calls === 0;
      return { result, failure, claims: scanner.report(), sessionId, spend, tools, output, isEmpty };
    },
  };
}

/** The same event with the spend of this turn alone. */
function ofThisTurn(event: AgentEvent, spentBefore: Spend): AgentEvent {
  if ((event.type !== "usage" && event.type !== "result") || event.spend === null) return event;
  return { ...event, spend: subtractSpend(event.spend, spentBefore) };
}

/** The same event with an estimated price where the agent told none. */
function priced(event: AgentEvent, price: () => ModelPrice | null): AgentEvent {
  if ((event.type !== "usage" && event.type !== "result") || event.spend === null) return event;
  return { ...event, spend: estimateSpend(event.spend, price()) };
}

const workEvents = new Set<AgentEvent["type"]>(["text", "thinking", "tool-started"]);

type Closing = Pick<TurnReport, "result" | "failure"> & { text: string | null };

function noResult(failure: Failure | null): Closing {
  return { result: "none", failure, text: null };
}

function closingOf({ isSuccess, failure, text }: Extract<AgentEvent, { type: "result" }>): Closing {
  return { result: isSuccess ? "success" : "error", failure, text };
}
