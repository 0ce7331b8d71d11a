import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import type { TranscriptOffset } from "../../../core/session/transcript-offset.ts";
import { openTranscript } from "./claude-transcript.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-offset-"));
  path = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const loopStart = Date.UTC(2026, 10, 17);
const timeOf = (index: number): string => new Date(loopStart + index * 1000).toISOString();
const sinceOf = (index: number): number => loopStart + index * 1000;

/** One line of a record, without its time. */
const lines = fc.oneof(
  fc.record({ type: fc.constantFrom("assistant", "user"), message: fc.record({ content: fc.string() }) }),
  fc.record({ type: fc.constant("queue-operation"), operation: fc.constant("enqueue"), content: fc.string() }),
  fc.record({ type: fc.constant("queue-operation"), operation: fc.constantFrom("dequeue", "popAll", "remove") }),
  fc.record({ type: fc.constant("summary"), summary: fc.string({ maxLength: 400 }) }),
);

function textOf(all: readonly object[], first: number): string {
  return all.map((each, index) => `${JSON.stringify({ ...each, timestamp: timeOf(first + index) })}\n`).join("");
}

/** What a stop reads of a turn and of the queue. */
function read(turn: number, from: TranscriptOffset | null): unknown {
  const transcript = openTranscript(path, {});
  return { turn: transcript.readSince(sinceOf(turn), from), queued: transcript.readQueued(loopStart, from) };
}

/** The offset after these lines, which are the record so far. */
function offsetAfter(text: string, from: TranscriptOffset | null = null): TranscriptOffset | null {
  writeFileSync(path, text);
  return openTranscript(path, {}).readOffset(loopStart, from);
}

describe("a record that is read from an offset", () => {
  it("shows what the whole record shows, turn after turn", () => {
    fc.assert(
      fc.property(fc.array(fc.array(lines, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (turns) => {
        writeFileSync(path, "");
        let [written, offset]: [number, TranscriptOffset | null] = [0, null];
        for (const turn of turns) {
          appendFileSync(path, textOf(turn, written));
          expect(read(written, offset)).toEqual(read(written, null));
          written += turn.length;
          offset = openTranscript(path, {}).readOffset(loopStart, offset);
        }
      }),
      { numRuns: 200, seed: propertySeed },
    );
  });

  const said = (text: string): object => ({ type: "assistant", message: { content: text } });
  const typed = (content: string): object => ({ type: "queue-operation", operation: "enqueue", content });

  it("shows nothing of an earlier turn whose lines have no time", () => {
    const offset = offsetAfter(`${JSON.stringify(said("<promise>DONE</promise>"))}\n`);
    appendFileSync(path, `${JSON.stringify(said("Not yet."))}\n`);
    const { messages } = openTranscript(path, {}).readSince(loopStart, offset);
    expect(messages.map(({ content }) => content)).toEqual([[{ type: "text", text: "Not yet." }]]);
  });

  it("is read whole when another file took its place, or it was cut or written again", () => {
    const text = textOf([typed("/cancel-ralph"), said("one"), said("two")], 0);
    const changes: (() => void)[] = [
      () => {
        writeFileSync(`${path}.new`, text + textOf([said("three")], 3));
        renameSync(`${path}.new`, path);
      },
      () => truncateSync(path, textOf([typed("/cancel-ralph"), said("one")], 0).length),
      () => writeFileSync(path, text.replace("two", "2") + textOf([said("three"), said("four")], 3)),
    ];
    for (const change of changes) {
      const offset = offsetAfter(text);
      change();
      expect(read(1, offset)).toEqual(read(1, null));
    }
  });

  it("begins with a line that was half written at the offset", () => {
    const [whole, half] = [textOf([said("one")], 0), textOf([said("two")], 1)];
    const offset = offsetAfter(whole + half.slice(0, 20));
    appendFileSync(path, half.slice(20));
    expect(read(1, offset)).toEqual(read(1, null));
  });

  it("keeps what was typed and not handled before the offset", () => {
    const offset = offsetAfter(textOf([typed("/cancel-ralph")], 0));
    expect(offset?.queued).toEqual(["/cancel-ralph"]);
    appendFileSync(path, textOf([said("Working.")], 1));
    expect(openTranscript(path, {}).readQueued(loopStart, offset)).toEqual(["/cancel-ralph"]);
  });

  it("has no offset without a record, and nothing queued where a loop begins", () => {
    expect(openTranscript(join(folder, "none"), {}).readOffset(loopStart, null)).toBeNull();
    offsetAfter(textOf([typed("before")], 0));
    expect(openTranscript(path, {}).readOffset(null, null)?.queued).toEqual([]);
  });
});
