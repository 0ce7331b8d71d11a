import type { AgentEvent, Failure } from "../../core/agents/agent-event.ts";
import { noSpend, type Spend, subtractSpend, unknownSpend } from "../../core/agents/spend.ts";
import type { TurnReport } from "../../core/agents/turn-report.ts";
import { type ClaimOptions, createClaimScanner } from "../../core/claims/claim-scanner.ts";
import { createColourFilter } from "../../core/text/strip-colour.ts";
import { createEchoFilter } from "../../core/claims/strip-echo.ts";
import type { AgentAdapter, StreamReader } from "../agents/adapter.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createToolTally } from "./tool-tally.ts";

/** What to read and what counts as a claim in it. */
export type TurnReading = ClaimOptions & {
  adapter: AgentAdapter;
  flags: readonly string[];
  /** An agent that writes plain text may repeat it; an exact echo is not the agent's word. */
  prompt: string;
  /** What the continued session had cost before, where the agent's totals cover the whole of it. */
  spentBefore?: Spend;
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
  /** Call once, when no more output can come. */
  end(): StreamFacts;
};

/** Reads the output of one turn: bytes to lines, lines to events, events to facts. Keeps no text. */
export function createTurnReader(order: TurnReading): TurnReader {
  const facts = createFacts(order);
  const reader = order.adapter.createReader(order.flags);
  const source = reader === null ? plainSource(order.prompt, facts.add) : eventSource(reader, facts.add);
  let bytes = 0;

  return {
    push(chunk) {
      bytes += chunk.byteLength;
      source.push(chunk);
    },
    tellSpend: (spend) => facts.add({ type: "usage", spend }),
    progress: facts.progress,
    end() {
      const { lines, unparsedLines } = source.end();
      return facts.report(reader?.failure() ?? null, { bytes, lines, unparsedLines });
    },
  };
}

type Source = { push(chunk: Uint8Array): void; end(): { lines: number; unparsedLines: number } };
type AddEvent = (event: AgentEvent) => void;

/** One JSON object a line. */
function eventSource(reader: StreamReader, add: AddEvent): Source {
  let lines = 0;
  let unparsedLines = 0;
  const splitter = createLineSplitter({
    onLine(text) {
      if (text === "") return;
      lines += 1;
      const events = readLine(text, reader);
      if (events === "unknown") unparsedLines += 1;
      else for (const event of events) add(event);
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      const overlong = splitter.overlongLines();
      return { lines: lines + overlong, unparsedLines: unparsedLines + overlong };
    },
  };
}

function readLine(text: string, reader: StreamReader): AgentEvent[] | "unknown" {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    // Broken lines are counted (S1-73); the raw stream keeps them.
    return "unknown";
  }
  return reader.read(line);
}

/** All of it is text. One chunk makes one event at most, so that a chatty program does not flood the journal. */
function plainSource(prompt: string, add: AddEvent): Source {
  const decoder = new TextDecoder();
  const colour = createColourFilter();
  const echo = createEchoFilter(prompt);
  let newlines = 0;
  let lastByte = newline;
  const handOn = (text: string): void => {
    if (text !== "") add({ type: "text", text, messageId: "output", isSub: false });
  };
  return {
    push(chunk) {
      newlines += countNewlines(chunk);
      lastByte = chunk.at(-1) ?? lastByte;
      handOn(echo.text(colour.text(decoder.decode(chunk, { stream: true }))));
    },
    end() {
      handOn(echo.text(colour.text(decoder.decode())) + echo.end());
      return { lines: lastByte === newline ? newlines : newlines + 1, unparsedLines: 0 };
    },
  };
}

const newline = 10;

function countNewlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Gathers facts from events. */
function createFacts({ onEvent, spentBefore = noSpend, ...claimOptions }: TurnReading) {
  const scanner = createClaimScanner(claimOptions);
  const tally = createToolTally();
  let sessionId: string | null = null;
  let spend: Spend = noSpend;
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
    add: (told: AgentEvent): void => {
      const event = ofThisTurn(told, spentBefore);
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

const workEvents = new Set<AgentEvent["type"]>(["text", "thinking", "tool-started"]);

type Closing = Pick<TurnReport, "result" | "failure"> & { text: string | null };

function noResult(failure: Failure | null): Closing {
  return { result: "none", failure, text: null };
}

function closingOf({ isSuccess, failure, text }: Extract<AgentEvent, { type: "result" }>): Closing {
  return { result: isSuccess ? "success" : "error", failure, text };
}
