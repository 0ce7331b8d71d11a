import { describe, expect, it } from "vitest";
import type { Receipt } from "./receipt.ts";
import { readStatement, toStatement } from "./statement.ts";

const receipt: Receipt = {
  ralph: "0.1.0",
  verifiedAt: "2026-11-17T20:00:00.000Z",
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: { hash: "5".repeat(64), isolation: "namespace" },
  base: "b".repeat(40),
  baseCommit: null,
  candidate: "a".repeat(40),
  commit: "d".repeat(40),
  checks: [
    {
      gate: "guardrail-1",
      name: "npm test",
      exitCode: 0,
      isSealed: true,
      tests: { passed: 3, failed: 0, skipped: 0, missing: 0, added: 1 },
      log: "e".repeat(64),
    },
  ],
  commands: [{ command: "npm test", exitCode: 0, report: "7".repeat(64) }],
  tools: [{ name: "node", sha256: "f".repeat(64) }],
  judges: [],
  run: { id: "20261117-200000-abcd", journal: "9".repeat(64) },
};

describe("the statement of a receipt", () => {
  it("comes back as it was written", () => {
    expect(readStatement(toStatement(receipt))).toEqual({ receipt });
    const bare = { ...receipt, seal: null, base: null, commit: null, run: null };
    expect(readStatement(toStatement(bare))).toEqual({ receipt: bare });
  });

  it("is refused for another tree than its receipt speaks for", () => {
    const other = toStatement(receipt).replace(`"gitTree":"${"a".repeat(40)}"`, `"gitTree":"${"0".repeat(40)}"`);
    expect(readStatement(other)).toEqual({ problem: "its payload holds more than a receipt" });
  });

  it.each([
    ["no JSON", "{", "its payload is not a JSON object"],
    ["a list", "[]", "its payload is not a JSON object"],
    ["another type", toStatement(receipt).replace("Statement/v1", "Statement/v0"), "its payload is not a statement"],
    ["another predicate", toStatement(receipt).replace("urn:ralph", "urn:other"), "its predicate is not"],
    [
      "a missing field",
      toStatement(receipt).replace('"candidate":', '"other":'),
      "candidate is not the name of an object",
    ],
    ["a field of another type", toStatement(receipt).replace('"exitCode":0', '"exitCode":"0"'), "exitCode"],
    ["a second value", toStatement(receipt).replace('"exitCode":0', '"exitCode":1,"exitCode":0'), "holds more"],
    ["white space", `${toStatement(receipt)} `, "holds more"],
  ])("is refused with %s", (_, payload, problem) => {
    expect(JSON.stringify(readStatement(payload))).toContain(problem);
  });
});
