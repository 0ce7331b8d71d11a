import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Agents whose recorded output is read, and plain text as a program without a stream prints it. */
export const streamKinds = ["claude", "codex", "opencode", "text"] as const;
export type StreamKind = (typeof streamKinds)[number];

/** Writes a long stream made of the recorded ones in `fixtures`, as one very long turn would look. */
export async function writeStream(
  { fixtures, kind }: { fixtures: string; kind: StreamKind },
  path: string,
  bytesMin: number,
): Promise<void> {
  await pipeline(Readable.from(repeat(recordedTurns(fixtures, kind), bytesMin)), createWriteStream(path));
}

/** Bytes of a text in the stream of long lines: a file that an agent writes out in one piece. */
const longTextBytes = 12_000_000;

/** Writes a stream of messages that are each one text of 12 MB, between the first and the last line of a recorded turn. */
export async function writeLongLines(fixtures: string, path: string, count: number): Promise<void> {
  const { first, last } = recordedTurns(fixtures, "claude");
  const words = "All tests of the parser are green, and the next step is the printer.\\n";
  const text = words.repeat(Math.ceil(longTextBytes / words.length));
  const lines = function* (): Iterable<Buffer> {
    yield Buffer.from(first);
    for (let number = 0; number < count; number += 1) {
      const head = `{"type":"assistant","message":{"id":"msg_long${number}","role":"assistant","content":[{"type":"text","text":"`;
      yield Buffer.from(`${head}${text}"}]},"parent_tool_use_id":null,"session_id":"long"}\n`);
    }
    yield Buffer.from(last);
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

type Recorded = { first: string; body: string; last: string };

/** Lines that a turn has once: those that open and close it. */
const turnLines: Record<StreamKind, { first: RegExp; last: RegExp }> = {
  claude: { first: /"subtype":"init"/, last: /"type":"result"/ },
  codex: { first: /^\{"type":"(?:thread|turn)\.started"/, last: /^\{"type":"turn\.(?:completed|failed)"/ },
  opencode: { first: /^$/, last: /^$/ },
  text: { first: /^$/, last: /^$/ },
};

/** The whole lines of all recordings as they are; of those that open and close a turn only one each, at its ends. */
function recordedTurns(fixtures: string, kind: StreamKind): Recorded {
  const folders = kind === "text" ? ["claude", "codex", "opencode"] : [kind];
  const files = folders.flatMap((folder) => {
    const names = readdirSync(join(fixtures, folder)).filter((name) =>
      name.endsWith(kind === "text" ? ".txt" : ".ndjson"),
    );
    return names.toSorted().map((name) => readFileSync(join(fixtures, folder, name), "utf8"));
  });
  const lines = files.flatMap((text) => text.trimEnd().split("\n")).filter((line) => line !== "");
  const { first, last } = turnLines[kind];
  const ended = (line: string | undefined): string => (line === undefined ? "" : `${line}\n`);
  const body = lines.filter((line) => !first.test(line) && !last.test(line) && isWhole(line, kind));
  return {
    first: ended(lines.find((line) => first.test(line))),
    body: `${body.join("\n")}\n`,
    last: ended(lines.findLast((line) => last.test(line))),
  };
}

/** A process that was killed leaves a line that is cut. */
function isWhole(line: string, kind: StreamKind): boolean {
  return kind === "text" || line.endsWith("}");
}

/** Ids of messages, parts, items and tools in the recordings. */
const ids = /\b(msg_fake|toolu_fake|item_|msg_|prt_|call_)(?=\w*\d)/g;

/** Messages and tools get a new id in each repetition, as they would have: what is remembered by id must show. */
function* repeat({ first, body, last }: Recorded, bytesMin: number): Iterable<Buffer> {
  yield Buffer.from(first);
  for (let bytes = 0, repetition = 0; bytes < bytesMin;) {
    const pieces: Buffer[] = [];
    // Small recordings are joined, so that the writing does not take long.
    for (let size = 0; size < 256 * 1024; repetition += 1) {
      const piece = Buffer.from(body.replaceAll(ids, `$1${String(repetition).padStart(6, "0")}x`));
      size += piece.length;
      pieces.push(piece);
    }
    const chunk = Buffer.concat(pieces);
    bytes += chunk.length;
    yield chunk;
  }
  yield Buffer.from(last);
}
