import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

function split(pieces: readonly (string | Uint8Array)[], lineBytesMax?: number) {
  const lines: string[] = [];
  const options = { onLine: (text: string) => lines.push(text) };
  const splitter = createLineSplitter(lineBytesMax === undefined ? options : { ...options, lineBytesMax });
  for (const piece of pieces) splitter.push(typeof piece === "string" ? Buffer.from(piece) : piece);
  splitter.end();
  return { lines, overlong: splitter.overlongLines() };
}

describe("createLineSplitter", () => {
  it("joins a line that arrives in pieces (S1-73)", () => {
    expect(split(["al", "pha\nbe", "", "ta", "\n"]).lines).toEqual(["alpha", "beta"]);
  });

  it("hands on a last line without a newline, and nothing after a last newline", () => {
    expect(split(["a\nb"]).lines).toEqual(["a", "b"]);
    expect(split(["a\n"]).lines).toEqual(["a"]);
    expect(split([]).lines).toEqual([]);
  });

  it("keeps empty lines, which plain text needs", () => {
    expect(split(["a\n\n\nb\n"]).lines).toEqual(["a", "", "", "b"]);
  });

  it("removes a carriage return before the newline, also when a piece ends between them", () => {
    expect(split(["a\r\nb\r", "\nc\rd\n"]).lines).toEqual(["a", "b", "c\rd"]);
  });

  it("removes a byte order mark at the very beginning only", () => {
    expect(split(["\uFEFFa\n\uFEFFb\n"]).lines).toEqual(["a", "\uFEFFb"]);
    expect(split([Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])]).lines).toEqual(["a"]);
  });

  it("turns bytes that are no UTF-8 into replacement characters (S1-73, R-07)", () => {
    expect(split([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0x63, 0x0a])]).lines).toEqual(["a\uFFFDb", "c"]);
  });

  it("drops and counts a line above the limit, and reads the lines around it", () => {
    const long = "x".repeat(11);
    expect(split([`a\n${long}\nb\n`], 10)).toEqual({ lines: ["a", "b"], overlong: 1 });
    expect(split(["a\nxxxxxx", "xxxxxx", "xxxxxx\nb\nyyyyyyyyyyyyyy"], 10)).toEqual({ lines: ["a", "b"], overlong: 2 });
  });

  it("accepts a line of exactly the limit, with either line end and in any pieces", () => {
    const line = "x".repeat(10);
    expect(split([`${line}\r\n`], 10)).toEqual({ lines: [line], overlong: 0 });
    expect(split([line, "\r", "\n"], 10)).toEqual({ lines: [line], overlong: 0 });
    expect(split([`${line}x`, "\n"], 10)).toEqual({ lines: [], overlong: 1 });
  });

  it("reads a line of several megabytes (S1-73)", () => {
    const line = "é".repeat(2_000_000);
    const bytes = Buffer.from(`${line}\n`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_535) }, (_, at) =>
      bytes.subarray(at * 65_535, (at + 1) * 65_535),
    );
    expect(split(pieces).lines[0] === line).toBe(true);
  });

  it("does not keep the memory of a chunk, so that a caller may use it again", () => {
    const lines: string[] = [];
    const splitter = createLineSplitter({ onLine: (text) => lines.push(text) });
    const chunk = Buffer.from("one");
    splitter.push(chunk);
    chunk.fill("z");
    splitter.push(Buffer.from("\n"));
    expect(lines).toEqual(["one"]);
  });

  it("finds the same lines however the bytes are cut", () => {
    const text = fc.array(fc.constantFrom("a", "é", "🎉", "\n", "\r\n", "\r", "{"), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(""));
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted((a, b) => a - b);
        const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        expect(split(pieces).lines).toEqual(split([bytes]).lines);
      }),
    );
  });
});
