import { expect, it } from "vitest";
import { judgeSignature, type SignatureFacts } from "./judge-signature.ts";

const unsigned: SignatureFacts = { isSigned: false, signedBy: [], wanted: [], isUnsignedAllowed: false };
const signed = { ...unsigned, isSigned: true, signedBy: ["mine"] };

it.each<[string, SignatureFacts, string | null]>([
  ["signed by a known key", signed, null],
  ["signed by the key that was given", { ...signed, wanted: ["mine"] }, null],
  ["signed by another key than the given one", { ...signed, wanted: ["other"] }, "not signed by the key"],
  ["unsigned", unsigned, "It is not signed."],
  ["unsigned where that is enough", { ...unsigned, isUnsignedAllowed: true }, null],
  [
    "unsigned where a key was given",
    { ...unsigned, wanted: ["mine"], isUnsignedAllowed: true },
    "not signed by the key",
  ],
  ["signed by a stranger", { ...unsigned, isSigned: true }, "a key that is not known here"],
])("judges a receipt that is %s", (_, facts, expected) => {
  const problem = judgeSignature(facts);
  expect([problem === null, problem ?? ""]).toEqual([expected === null, expect.stringContaining(expected ?? "")]);
});
