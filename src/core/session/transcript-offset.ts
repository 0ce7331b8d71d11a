import { count, hasShape, objectOf, type Shape, text } from "../shape/shape.ts";
import { isObject } from "../text/is-object.ts";

/**
 * How far a host's record of a session was read when its agent was last sent to work. What stands before it is of an earlier turn and
 * is not read again: a record grows to hundreds of megabytes, and its lines need not say when they were written.
 */
export type TranscriptOffset = {
  /** The file itself, whatever its name; and its last bytes before the offset: another file, or another text, is read from its begin. */
  file: string;
  bytes: number;
  tail: string;
  /** What people had typed until there that the host had not handled yet. */
  queued: string[];
};

type Fields = Omit<TranscriptOffset, "queued">;
const fieldsShape: Shape<Fields> = objectOf<Fields>({ file: text, bytes: count, tail: text });

/** Reads a stored offset; null for everything else. */
export function parseOffset(value: unknown): TranscriptOffset | null {
  if (!isObject(value)) return null;
  const { queued } = value;
  const fields: unknown = value;
  if (!Array.isArray(queued) || !hasShape(fieldsShape, fields)) return null;
  const texts: readonly unknown[] = queued;
  const own = texts.filter((each) => typeof each === "string");
  return own.length === texts.length
    ? { file: fields.file, bytes: fields.bytes, tail: fields.tail, queued: own }
    : null;
}
