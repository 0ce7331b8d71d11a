import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideSecrets, type Secret } from "../../core/text/known-secrets.ts";
import { propertySeed } from "../../../tests/property-seed.ts";
import { createSecretFilter } from "./secret-filter.ts";

fc.configureGlobal({ seed: propertySeed });

const secrets: Secret[] = [
  { name: "OUTER", value: "xxabcdefghyy" },
  { name: "LONGER", value: "abcdefghij" },
  { name: "SHORTER", value: "abcdefgh" },
  { name: "REPEATED", value: "aabaabaac" },
  { name: "WIDE", value: "schlüssel€" },
];

/** What comes out of these pieces. */
function filtered(pieces: readonly Uint8Array[], known: readonly Secret[] = secrets): string {
  const filter = createSecretFilter(known);
  const out = pieces.map((piece) => Buffer.from(filter.take(piece)));
  return Buffer.concat([...out, filter.end()]).toString();
}

describe("secrets in a stream", () => {
  it.each([
    ["in the middle", ["key abcdefgh."], "key [redacted SHORTER]."],
    ["across pieces", ["key abc", "de", "fgh."], "key [redacted SHORTER]."],
    ["at the very end", ["key abcdef", "gh"], "key [redacted SHORTER]"],
    ["the longest of those that begin alike", ["abcdefgh", "ij"], "[redacted LONGER]"],
    ["the shorter where the longer does not come", ["abcdefgh", "i."], "[redacted SHORTER]i."],
    ["one inside another that does not come to its end", ["xxabcdefgh", "y."], "xx[redacted SHORTER]y."],
    ["one after another", ["abcdefghabcdefgh"], "[redacted SHORTER][redacted SHORTER]"],
    ["a beginning that begins anew", ["aabaab", "aabaac"], "aab[redacted REPEATED]"],
    ["across the bytes of one letter", ["schl\u00fcssel\u20ac"], "[redacted WIDE]"],
  ])("are hidden %s", (_, pieces, expected) => {
    expect(filtered(pieces.map((piece) => Buffer.from(piece)))).toBe(expected);
    const bytes = Buffer.from(pieces.join(""));
    expect(filtered(Array.from(bytes, (byte) => Buffer.from([byte])))).toBe(expected);
  });

  it("are hidden alike however the bytes are cut, and as in one text", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), fc.array(fc.nat(12)), (parts, lengths) => {
        const text = parts.join("");
        expect(filtered(cut(Buffer.from(text), lengths))).toBe(hideSecrets(text, secrets));
      }),
      { numRuns: 2000 },
    );
  });

  it("cost nothing where there are none: the same bytes come out, and nothing is held that cannot become one", () => {
    const filter = createSecretFilter(secrets);
    const chunk = Buffer.from("nothing to hide\n");
    const out = filter.take(chunk);
    expect(out.buffer).toBe(chunk.buffer);
    expect(Buffer.from(out).toString()).toBe("nothing to hide\n");
    expect(filter.end().length).toBe(0);
  });
});

/** Whole secrets, their beginnings and ends, and other words. */
const words = fc
  .tuple(fc.constantFrom(...secrets.map(({ value }) => value), "ab \n"), fc.nat(12), fc.nat(12))
  .map(([value, from, to]) => (from < 4 ? value : value.slice(Math.max(0, from - 8), to)));

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...pieces, bytes.subarray(at)];
}
