import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { createEchoFilter } from "../../core/claims/strip-echo.ts";
import { createColourFilter } from "../../core/text/strip-colour.ts";
import type { StreamReader } from "../agents/adapter.ts";
import { createLineSplitter } from "./line-splitter.ts";

/** What turns the bytes of one turn into events. */
export type TurnSource = {
  push(chunk: Uint8Array): void;
  /** Call once, when no more output can come. */
  end(): { lines: number; unparsedLines: number };
};

/** Takes one event. */
export type AddEvent = (event: AgentEvent) => void;

/** Lines of text that are kept back until it is clear that no stream follows: a program may greet before it begins one. */
const greetingLinesMax = 3;

/** Where events go. `onPlain`: the output is read as text from here on. `onStream`: it is a stream after all. */
export type EventTarget = { add: AddEvent; plain: TurnSource; onPlain: () => void; onStream: () => void };

/**
 * One JSON object per line. A program that prints text instead, such as a wrapper with the name of an agent, is read as text:
 * `plain` gets its lines. A turn is text or a stream, never both: the first line that is understood makes everything before it
 * a greeting, which nobody said.
 */
export function eventSource(reader: StreamReader, { add, plain, onPlain, onStream }: EventTarget): TurnSource {
  let lines = 0;
  let unparsedLines = 0;
  let kind: "unknown" | "stream" | "plain" = "unknown";
  let greeting: string[] = [];
  const passOn = (text: string): void => plain.push(Buffer.from(`${text}\n`));
  const takeAsPlain = (): void => {
    kind = "plain";
    onPlain();
    greeting.forEach(passOn);
    greeting = [];
  };
  const takeUnknown = (text: string): void => {
    if (kind === "plain") return passOn(text);
    if (kind === "unknown" && !text.startsWith("{")) {
      greeting.push(text);
      if (greeting.length > greetingLinesMax) takeAsPlain();
      return;
    }
    lines += 1;
    unparsedLines += 1;
  };
  const splitter = createLineSplitter({
    onLine(text) {
      if (text === "" && kind !== "plain" && greeting.length === 0) return;
      const events = readLine(text, reader);
      if (events === "unknown") return takeUnknown(text);
      if (kind === "plain") onStream();
      kind = "stream";
      lines += 1;
      for (const event of events) add(event);
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      if (kind === "unknown" && greeting.length > 0) takeAsPlain();
      const unknown = greeting.filter((text) => text !== "").length + splitter.overlongLines();
      return { lines: lines + unknown + plain.end().lines, unparsedLines: unparsedLines + unknown };
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
export function plainSource(prompt: string, add: AddEvent): TurnSource {
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
