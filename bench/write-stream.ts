import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { listOf, objectOf } from "../src/shell/streams/json-value.ts";
import { isObject } from "../src/core/text/is-object.ts";

/** Writes a long stream made of the recorded ones in `fixtures`, as one very long turn would look. */
export async function writeStream(fixtures: string, path: string, bytesMin: number): Promise<void> {
  await pipeline(Readable.from(repeat(recordedTurns(fixtures), bytesMin)), createWriteStream(path));
}

type Recorded = { first: string; body: string; last: string };

/** The lines of all recordings; of their `init` and `result` lines a turn has only one each, at its ends. */
function recordedTurns(fixtures: string): Recorded {
  const names = readdirSync(fixtures).filter((name) => name.endsWith(".ndjson"));
  const lines = names.toSorted().flatMap((name) => readFileSync(join(fixtures, name), "utf8").trimEnd().split("\n"));
  const isFirst = (line: string): boolean => line.includes('"subtype":"init"');
  const isLast = (line: string): boolean => line.includes('"type":"result"');
  const prose = readFileSync(join(fixtures, "..", "README.md"), "utf8");
  const body = lines.filter((line) => !isFirst(line) && !isLast(line)).map((line) => withLongOutput(line, prose));
  return {
    first: `${lines.find(isFirst) ?? ""}\n`,
    body: `${body.join("\n")}\n`,
    last: `${lines.findLast(isLast) ?? ""}\n`,
  };
}

/** The recorded tools said a word or two; a file of 300 lines that is read, or a test run, says some thousand characters. */
const outputChars = 10_000;

/** Tool results of a usual length, in both places where the agent writes them. */
function withLongOutput(line: string, prose: string): string {
  const value: unknown = JSON.parse(line);
  const details = objectOf(objectOf(value)["tool_use_result"]);
  const message = objectOf(objectOf(value)["message"]);
  const isAnswer = (block: unknown): boolean => objectOf(block)["type"] === "tool_result";
  if (!isObject(value) || !listOf(message["content"]).some(isAnswer)) return line;
  const output = prose.slice(0, outputChars);
  const content = listOf(message["content"]).map((block) =>
    isAnswer(block) ? { ...objectOf(block), content: output } : block,
  );
  const longDetails = typeof details["stdout"] === "string" ? { ...details, stdout: output } : details;
  return JSON.stringify({ ...value, message: { ...message, content }, tool_use_result: longDetails });
}

/** Messages and tools get a new id in each repetition, as they would have: what is remembered by id must show. */
function* repeat({ first, body, last }: Recorded, bytesMin: number): Iterable<Buffer> {
  yield Buffer.from(first);
  for (let bytes = 0, repetition = 0; bytes < bytesMin; repetition += 1) {
    const prefix = `$1_${String(repetition).padStart(6, "0")}x`;
    const chunk = Buffer.from(body.replaceAll(/\b(msg|toolu)_fake(?=\d)/g, prefix));
    bytes += chunk.length;
    yield chunk;
  }
  yield Buffer.from(last);
}
