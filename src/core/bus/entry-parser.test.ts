import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createEntryParser, type ParserStart } from "./entry-parser.ts";
import { bodyBytesMax } from "./entry-limits.ts";
import { type BusMessage, createMessage } from "./message.ts";
import { type EntryReading, readEntry } from "./read-entry.ts";
import { renderEntry } from "./render-entry.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const codec: EntryReading & { encode: (text: string) => Uint8Array } = {
  encode: (text) => encoder.encode(text),
  decode: (bytes) => decoder.decode(bytes),
  crc32: (bytes) => crc32(bytes),
  parseYaml: (text) => parse(text, { logLevel: "error" }) as unknown,
};

let count = 0;
function message(body: string): BusMessage {
  count += 1;
  return createMessage({ type: "INFO", projectId: "shop", taskId: "task-1", body }, { id: `MSG-${count}`, at: count });
}

function entry(of: BusMessage): Uint8Array {
  const bytes = renderEntry(of, codec);
  if (bytes === null) throw new Error("too long");
  return bytes;
}

function join(...parts: (Uint8Array | string)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part)));
}

function readAll(
  bytes: Uint8Array,
  { start = "start", chunkBytes = bytes.length }: Partial<Reading> = {},
): BusMessage[] {
  const parser = createEntryParser(codec, start);
  const found: BusMessage[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) found.push(...parser.push(bytes.slice(at, at + chunkBytes)));
  return [...found, ...parser.settle()];
}
type Reading = { start: ParserStart; chunkBytes: number };

const foreign = (id: string, body: string): string =>
  `---\nmsg_id: ${id}\nts: 2026-02-03T04:05:06.123456789Z\ntype: FACT\nproject_id: shop\n---\n${body}\n\n`;

describe("an entry", () => {
  it.each([
    ["three dashes", "a\n---\nb\n---"],
    ["a whole bus", decoder.decode(join(entry(message("x")), entry(message("y"))))],
    ["a header", "msg_id: MSG-1\ntype: INFO\nproject_id: p\n---\n"],
    ["return and line feed", "a\r\nb\r\n---\r\n"],
    ["emoji and a byte order mark", "\uFEFF👩‍🚀 ok 🎉"],
    ["a megabyte", `${"0123456789abcde\n".repeat(65_536)}end`],
    ["nothing", ""],
    ["only line feeds", "\n\n\n"],
    ["control characters", "\u0000\u001B[2J\u2028\u2029"],
  ])("brings back a body of %s exactly (R-91)", (_, body) => {
    const [before, of, after] = [message("before"), message(body), message("after")];
    expect(readAll(join(entry(before), entry(of), entry(after)))).toEqual([before, of, after]);
  });

  it("brings back any body, in chunks of any size (R-91)", () => {
    const piece = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("---", "\n", "\\---", "msg_id: x\n", "\r\n"));
    const bodies = fc.array(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("").toWellFormed()),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 300 }), (given, chunkBytes) => {
        const messages = given.map((body) => message(body));
        expect(readAll(join(...messages.map(entry)), { chunkBytes })).toEqual(messages);
      }),
    );
  });

  it("replaces half a surrogate pair, which no file can hold", () => {
    expect(readAll(entry(message("a\uD800b")))[0]?.body).toBe("a\uFFFDb");
  });

  it("is not made of a body or of fields no reader would take", () => {
    expect(renderEntry(message("x".repeat(bodyBytesMax + 1)), codec)).toBeNull();
    expect(renderEntry({ ...message(""), meta: { a: "x".repeat(70_000) } }, codec)).toBeNull();
  });

  it("holds no line of dashes but its own two, so that older readers stay in step", () => {
    const text = decoder.decode(entry(message("a\n---\nb")));
    expect(text.split("\n").filter((line) => line === "---")).toHaveLength(2);
  });
});

describe("a killed writer", () => {
  it("harms no later entry and its half entry is never delivered, wherever it was cut (R-92)", () => {
    const half = entry(
      message("type: INFO\nmsg_id: X\nproject_id: p\n\n[2026-01-01 00:00:00] INFO: no message\n---\n\n"),
    );
    const [before, after, last] = [message("before"), message("after\n---\n"), message("last")];
    // Without its last newline it is whole but for the end of the line, which the next entry brings.
    for (let length = 0; length < half.length - 1; length += 1) {
      const bytes = join(entry(before), half.slice(0, length), entry(after), entry(last));
      expect(readAll(bytes, { chunkBytes: 97 })).toEqual([before, after, last]);
    }
  });

  it("holds nobody up: the next entry is delivered at once, however much is missing before it (R-92)", () => {
    const half = entry(message("x".repeat(100_000))).slice(0, 500);
    const after = message("after");
    const parser = createEntryParser(codec, "start");
    expect(parser.push(half)).toEqual([]);
    expect(parser.push(entry(after))).toEqual([after]);
  });

  it("leaves an unfinished entry that is delivered once its rest comes", () => {
    const of = message("a body\nof two lines");
    const bytes = entry(of);
    const parser = createEntryParser(codec, "start");
    expect(parser.push(bytes.slice(0, -1))).toEqual([]);
    expect(parser.settle()).toEqual([]);
    expect(parser.push(bytes.slice(-1))).toEqual([of]);
  });

  it("of another tool loses its own entry only (R-92)", () => {
    const bytes = join("---\nmsg_id: MSG-A\nts: 20\n\n", foreign("MSG-B", "b"), entry(message("c")));
    expect(readAll(bytes).map(({ body }) => body)).toEqual(["b", "c"]);
  });
});

describe("a bus of other tools", () => {
  it("is read by the old rule: a body ends at the next entry", () => {
    const own = message("own");
    const bytes = join(foreign("MSG-A", "one\n---\nnot: an entry\n---\ntwo"), foreign("MSG-B", ""), entry(own));
    expect(readAll(bytes).map(({ id, body }) => [id, body])).toEqual([
      ["MSG-A", "one\n---\nnot: an entry\n---\ntwo"],
      ["MSG-B", ""],
      [own.id, "own"],
    ]);
  });

  it("delivers its last entry only once nothing more comes, and none without its last newline", () => {
    const parser = createEntryParser(codec, "start");
    expect(parser.push(encoder.encode(foreign("MSG-A", "a").trimEnd()))).toEqual([]);
    expect(parser.settle()).toEqual([]);
    expect(parser.push(encoder.encode("\n"))).toEqual([]);
    expect(parser.settle().map(({ id }) => id)).toEqual(["MSG-A"]);
  });

  it("delivers lines of the old form by their number, beside entries", () => {
    const line = "[2026-02-03 04:05:06] INFO: old\n";
    const own = message("[2026-02-03 04:05:06] INFO: a body\n");
    const ids = readAll(join(line, "noise\n", line, entry(own), line)).map(({ id }) => id);
    const lineCount = decoder.decode(entry(own)).split("\n").length - 1;
    const last = `LEGACY-LINE-${String(4 + lineCount).padStart(9, "0")}`;
    expect(ids).toEqual(["LEGACY-LINE-000000001", "LEGACY-LINE-000000003", own.id, last]);
  });

  it("skips what is broken and delivers the rest", () => {
    const own = message("own");
    const bytes = join("---\n{ no yaml\n---\nx\n\n", foreign("MSG-A", "a"), "---\n---\n---\n", entry(own), "rest");
    expect(readAll(bytes).map(({ id }) => id)).toEqual(["MSG-A", own.id]);
  });
});

describe("reading from the middle", () => {
  it("delivers whole entries only, wherever it begins", () => {
    const messages = [message("msg_id: X\ntype: I\nproject_id: p"), message("b\n\n---\n\nmsg_id: Y"), message("c")];
    const bytes = join(...messages.map(entry));
    for (let at = 0; at < bytes.length; at += 1) {
      const found = readAll(bytes.slice(at), { start: "middle" });
      expect(messages.slice(messages.length - found.length)).toEqual(found);
    }
  });

  it("leaves out lines of the old form and says so, for it cannot number them", () => {
    const parser = createEntryParser(codec, "middle");
    const own = message("own");
    expect(parser.push(join("cut\n", entry(own), "[2026-02-03 04:05:06] INFO: old\n"))).toEqual([own]);
    expect(parser.hasUnnumbered()).toBe(true);
  });
});

describe("any bytes at all", () => {
  it("neither throw nor hide the entry after them", () => {
    const noise = fc.oneof(
      fc.uint8Array(),
      fc.constantFrom("---\n", "\n", "msg_id: x\n", "type: y\n").map(codec.encode),
    );
    fc.assert(
      fc.property(fc.array(noise), fc.integer({ min: 1, max: 64 }), (parts, chunkBytes) => {
        const own = message("own");
        const found = readAll(join(...parts, entry(own)), { chunkBytes });
        expect(found.at(-1)).toEqual(own);
      }),
    );
  });

  it("are given up as a header once they are longer than any", () => {
    const long = join("---\n", "a: b\n".repeat(20_000));
    expect(readEntry(long, 4, codec, false)).toEqual({ kind: "broken" });
    expect(readEntry(long.slice(0, 1000), 4, codec, false)).toEqual({ kind: "more" });
  });
});
