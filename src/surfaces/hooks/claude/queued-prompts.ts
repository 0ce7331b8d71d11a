import { fieldOf } from "../../../core/session/field-of.ts";
import type { TranscriptOffset } from "../../../core/session/transcript-offset.ts";
import { readLinesBackwards } from "./read-lines-backwards.ts";
import { beginAt, endOfRecord } from "./transcript-offset.ts";

/** A loop's whole record, at most; only lines of the queue are parsed. */
const bytesMax = 64 * 1024 * 1024;

/**
 * What a person typed while the agent worked and the program has not run yet. The record tells of each change of its
 * queue: `enqueue` with the text, `dequeue` of the oldest, `remove` of one, `popAll` when the person edits them again.
 */
export function readQueuedPrompts(path: string, since: number, from: TranscriptOffset | null, to?: number): string[] {
  const changes: unknown[] = [];
  const begin = beginAt(path, from);
  readLinesBackwards(path, { bytesMax, from: begin, ...(to === undefined ? {} : { to }) }, (line) => {
    const [, time] = timePattern.exec(line) ?? [];
    if (time !== undefined && Date.parse(time) < since) return false;
    const entry = line.includes('"queue-operation"') || line.includes('"queued_command"') ? parse(line) : null;
    if (entry !== null) changes.push(entry);
    return true;
  });
  return changes.reduceRight<string[]>(afterChange, begin === 0 ? [] : (from?.queued ?? []));
}

/** The end of the record, and what is queued there. A queue that is too long to be kept is read again next time. */
export function readOffset(path: string, since: number | null, from: TranscriptOffset | null): TranscriptOffset | null {
  const end = endOfRecord(path);
  if (end === null) return null;
  const queued = since === null ? [] : readQueuedPrompts(path, since, from, end.bytes);
  return JSON.stringify(queued).length > queuedCharsMax ? null : { ...end, queued };
}

/** More than people type while an agent works. */
const queuedCharsMax = 16_000;

const timePattern = /"timestamp":"([^"]+)"/;

function afterChange(queue: string[], change: unknown): string[] {
  if (fieldOf(change, "type") === "attachment") return [...queue, ...givenMeanwhile(fieldOf(change, "attachment"))];
  if (fieldOf(change, "type") !== "queue-operation") return queue;
  const [operation, content] = [fieldOf(change, "operation"), fieldOf(change, "content")];
  if (operation === "enqueue") return typeof content === "string" ? [...queue, content] : queue;
  if (operation === "dequeue") return queue.slice(1);
  if (operation === "popAll") return [];
  if (operation !== "remove") return queue;
  const at = typeof content === "string" ? queue.lastIndexOf(content) : queue.length - 1;
  return queue.filter((_, index) => index !== at);
}

/** A text that the program gave to the agent in the middle of its turn, where no hook hears it. */
function givenMeanwhile(attachment: unknown): string[] {
  const prompt = fieldOf(attachment, "prompt");
  return fieldOf(attachment, "type") === "queued_command" && typeof prompt === "string" ? [prompt] : [];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // A damaged line hides no other.
    return null;
  }
}
