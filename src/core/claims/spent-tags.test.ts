import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertySeed } from "../../../tests/property-seed.ts";
import type { ClaimReport } from "./claim-report.ts";
import { type ClaimOptions, createClaimScanner } from "./claim-scanner.ts";

fc.configureGlobal({ seed: propertySeed });

const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("<promise>DONE</promise>", "<response>DONE</response>", "All checks pass.") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "<PROMISE>done</Promise>",
      "<promise>OTHER</promise>",
      "<promise>other</promise> and `<promise>DONE</promise>`",
      "I will print <promise>DONE</promise> later",
      "<promise>BLOCKED: no key</promise>",
      "<promise>BLOCKED: no *</promise>",
      "<promise>",
      "DONE</promise>",
      "<promise><promise>DONE</promise>",
      "```",
      "~~~",
      "",
      "<promise>DONE</promise\u212A>",
    ),
  },
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n", " ")), { maxLength: 30 })
  .map((lines) => lines.map((pair) => pair.join("")).join(""));
/** A piece of a message, and which one it is of: the next piece may be of another. */
type Piece = readonly [words: string, messageId: string];
const piece = fc.tuple(text, fc.constantFrom("a", "a", "b", "c"));
const placement = fc.constantFrom<ClaimOptions["placement"]>("own-sentence", "own-line", "anywhere");
const expected = fc.constantFrom("DONE", "OTHER", "none of them");

it("finds the same in lines that are passed over as in those that are read letter by letter (R-06)", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), placement, expected, (pieces, where, wanted) => {
      const options: ClaimOptions = { expected: wanted, placement: where, signals: ["promise", "response"] };
      const letters = pieces.flatMap(([words, id]) => ["", ...Array.from(words)].map((letter): Piece => [letter, id]));
      expect(scan(pieces, options)).toEqual(scan(letters, options));
    }),
    { numRuns: 2000 },
  );
});

it("takes a first claim of another kind behind thousands of known ones", () => {
  const known = "<promise>DONE</promise>\n<response>DONE</response>\n".repeat(5000);
  const options: ClaimOptions = { expected: "DONE", placement: "own-sentence", signals: ["promise", "response"] };
  const report = scan(
    [
      [known, "a"],
      [`${known}<promise>Blocked: no key</promise>\n${known}`, "a"],
    ],
    options,
  );
  expect(report).toMatchObject({ isPromised: true, response: "DONE", blocked: "no key" });
});

function scan(pieces: readonly Piece[], options: ClaimOptions): ClaimReport {
  const scanner = createClaimScanner(options);
  for (const [words, messageId] of pieces) scanner.text(words, messageId);
  return scanner.report();
}
