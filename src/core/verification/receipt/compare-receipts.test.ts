import { expect, it } from "vitest";
import { compareReceipts } from "./compare-receipts.ts";
import type { Receipt } from "./receipt.ts";

const receipt: Receipt = {
  ralph: "0.1.0",
  verifiedAt: "2026-11-17T20:00:00.000Z",
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: { hash: "5".repeat(64), isolation: "namespace" },
  base: "b".repeat(40),
  baseCommit: "1".repeat(40),
  candidate: "a".repeat(40),
  commit: null,
  checks: [{ gate: "guardrail-1", name: "npm test", exitCode: 0, isSealed: true, log: null }],
  commands: [{ command: "npm test", exitCode: 0, report: "7".repeat(64) }],
  tools: [],
  judges: [],
  run: null,
};
const [check] = receipt.checks;
const [command] = receipt.commands;

it.each<[string, Partial<Receipt>]>([
  ["another seal", { seal: { hash: "6".repeat(64), isolation: "copy" } }],
  ["other programs", { tools: [{ name: "node", sha256: "f".repeat(64) }] }],
  ["another time and version", { ralph: "9", verifiedAt: "2027-01-01T00:00:00.000Z" }],
])("finds no difference in %s", (_, other) => {
  expect(compareReceipts(receipt, { ...receipt, ...other })).toEqual([]);
});

it.each<[string, Partial<Receipt>, string]>([
  ["another contract", { contract: { hash: "d".repeat(64), revision: 1 } }, "The contract is"],
  ["another base", { base: "0".repeat(40) }, "The tree of the base is"],
  ["another candidate", { candidate: "0".repeat(40) }, "The candidate is"],
  ["a check that the receipt lacks", { checks: [...receipt.checks, { ...check!, name: "lint" }] }, "does not have"],
  ["a check that is gone", { checks: [] }, "is not one of the contract"],
  ["another exit code", { checks: [{ ...check!, exitCode: 1 }] }, "ended differently"],
  ["a check that was not sealed", { checks: [{ ...check!, isSealed: undefined as never }] }, "ended differently"],
  ["other results", { commands: [{ ...command!, report: "8".repeat(64) }] }, "show other results"],
  ["no results", { commands: [] }, "show other results"],
])("names %s", (_, other, words) => {
  expect(compareReceipts(receipt, { ...receipt, ...other })).toEqual([expect.stringContaining(words)]);
});
