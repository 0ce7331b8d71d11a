import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/core/agents/agent-event.ts";
import type { AgentAdapter } from "../../src/shell/agents/adapter.ts";
import { ampAdapter } from "../../src/shell/agents/amp/amp-adapter.ts";
import { claudeAdapter } from "../../src/shell/agents/claude/claude-adapter.ts";
import { codexAdapter } from "../../src/shell/agents/codex/codex-adapter.ts";
import { commandAdapter } from "../../src/shell/agents/command/command-adapter.ts";
import { copilotAdapter } from "../../src/shell/agents/copilot/copilot-adapter.ts";
import { geminiAdapter } from "../../src/shell/agents/gemini/gemini-adapter.ts";
import { opencodeAdapter } from "../../src/shell/agents/opencode/opencode-adapter.ts";
import { createTurnReader, type StreamFacts } from "../../src/shell/streams/turn-reader.ts";
import { propertySeed } from "../property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

/** Fuzzed chunkings of fuzzed streams per agent; the long suite has many more. */
const cases = Number(process.env["RALPH_TEST_CHUNKINGS"] ?? 60);

const streaming = [ampAdapter, claudeAdapter, codexAdapter, copilotAdapter, geminiAdapter, opencodeAdapter];

describe("a turn that is read in pieces", () => {
  for (const adapter of [...streaming, commandAdapter])
    it(`has the same events, claims and spend of ${adapter.name}, whatever the chunking and although memory is used again`, () => {
      fc.assert(
        fc.property(
          streamOf(adapter),
          fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 40 }),
          (stream, sizes) => {
            const bytes = Buffer.from(stream);
            const expected = read(adapter, [bytes]);
            const inPieces = read(adapter, pieces(bytes, sizes));
            expect(inPieces.facts).toEqual(expected.facts);
            expect(joined(adapter, inPieces.events)).toEqual(joined(adapter, expected.events));
          },
        ),
        { numRuns: cases },
      );
    });

  for (const adapter of streaming)
    it(`has the events of ${adapter.name} that parsing each line of the whole gives`, () => {
      fc.assert(
        fc.property(streamOf(adapter), (stream) => {
          const plain = parseEach(adapter, stream);
          // A stream without a line that is understood is read as text.
          fc.pre(plain.isUnderstoodFirst);
          expect(read(adapter, [Buffer.from(stream)]).events).toEqual(plain.events);
        }),
        { numRuns: cases },
      );
    });
});

/** Lines of recordings in any order, some changed as an agent might write them, with other lines among them. */
function streamOf(adapter: AgentAdapter): fc.Arbitrary<string> {
  const lines = recordedLines(adapter);
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...lines) },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...lines), word).map(([text, said]) => withWord(text, said)) },
    { weight: 2, arbitrary: fc.constantFrom(...lines).map(reversed) },
    { weight: 2, arbitrary: fc.constantFrom(...lines).map(escaped) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "{", '{"type":"nobody knows"}', "null", "[1]", "words", `{"a":"\u2028"}`),
    },
  );
  const end = fc.constantFrom("\n", "\n", "\n", "\r\n");
  return fc
    .tuple(fc.constantFrom(...lines), fc.array(fc.tuple(line, end), { maxLength: 14 }), fc.constantFrom("", "\n", "{"))
    .map(([first, rest, last]) => `${first}\n${rest.map((pair) => pair.join("")).join("")}${last}`);
}

/** What may be said: claims in any case, mentions, and what is nearly one. */
const word = fc.constantFrom(
  "<promise>DONE</promise>",
  "<PROMISE>done</Promise>",
  "All is well. <Response>DONE</RESPONSE>",
  "I will print `<promise>DONE</promise>`",
  "<promise>BLOCKED: no key</promise>",
  "<promise>DECIDE: which?</promise>",
  "<promise>OTHER</promise>\n<promise>DONE</promise>",
  "```\n<promise>DONE</promise>\n```",
  "<promise>DO",
  "NE</promise>",
  "äöü 🎉 <promise>D",
);

function recordedLines({ name }: AgentAdapter): string[] {
  const agent = name === "command" ? "claude" : name;
  const folder = new URL(`../fixtures/streams/${agent}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith(name === "command" ? ".txt" : ".ndjson"));
  return files
    .toSorted()
    .flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
    .filter((line) => line !== "");
}

/** Says the word where the line says something; in plain text behind it. */
function withWord(line: string, said: string): string {
  const value = parsed(line);
  if (value === undefined) return `${line} ${said}`;
  return JSON.stringify(value, (key, field: unknown) =>
    typeof field === "string" && /^(?:text|content|output|aggregated_output)$/.test(key) ? said : field,
  );
}

/** The same fields in the opposite order. */
function reversed(line: string): string {
  const value = parsed(line);
  const turn = (field: unknown): unknown => {
    if (Array.isArray(field)) return field.map(turn);
    if (typeof field !== "object" || field === null) return field;
    const entries = Object.entries(field).map(([key, inner]): [string, unknown] => [key, turn(inner)]);
    return Object.fromEntries(entries.toReversed());
  };
  return value === undefined ? line : JSON.stringify(turn(value));
}

/** The same text with letters as escapes, in keys too. */
function escaped(line: string): string {
  if (parsed(line) === undefined) return line;
  return line.replaceAll(/(?<!\\)[pt](?!")/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Chunks of these sizes, again and again, that all lie in one buffer, which is overwritten behind each of them. */
function* pieces(bytes: Buffer, sizes: readonly number[]): Generator<Uint8Array> {
  const memory = Buffer.alloc(700);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = Math.min(sizes[turn % sizes.length] ?? 1, bytes.length - at);
    memory.set(bytes.subarray(at, at + size));
    yield memory.subarray(0, size);
    memory.fill(0x3c);
    at += size;
  }
}

function read(adapter: AgentAdapter, chunks: Iterable<Uint8Array>): { facts: StreamFacts; events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  const reader = createTurnReader({
    adapter,
    flags: [],
    prompt: "Go",
    expected: "DONE",
    placement: "own-sentence",
    signals: ["promise", "response"],
    onEvent: (event) => void events.push(event),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { facts: reader.end(), events };
}

/** Plain text is one event per chunk at most; only what they say together counts. */
function joined(adapter: AgentAdapter, events: AgentEvent[]): unknown {
  if (adapter !== commandAdapter) return events;
  return events.map((event) => (event.type === "text" ? event.text : event.type)).join("");
}

/** The slow way, in as few words as it takes. */
function parseEach(adapter: AgentAdapter, stream: string): { events: AgentEvent[]; isUnderstoodFirst: boolean } {
  const reader = adapter.createReader([]);
  const answers = stream.split(/\r?\n/).map((line) => {
    const value = parsed(line);
    return value === undefined ? "unknown" : (reader?.read(value) ?? "unknown");
  });
  const events = answers.flatMap((answer) => (answer === "unknown" ? [] : answer));
  return { events, isUnderstoodFirst: answers[0] !== "unknown" };
}
