import { describe, expect, it } from "vitest";
import { hasShape } from "../../shape/shape.ts";
import type { Verification } from "../verified/verification.ts";
import { receiptOf } from "./receipt-of.ts";
import { receiptShape } from "./receipt.ts";

const verification: Verification = {
  verdict: "verified",
  reasons: [],
  base: { tree: "b".repeat(40), commit: "1".repeat(40) },
  candidate: { tree: "a".repeat(40), commit: "2".repeat(40) },
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: { hash: "5".repeat(64), isolation: "copy", problem: "bwrap is not installed." },
  checks: [
    {
      gate: "guardrail-1",
      name: "npm test",
      isPassed: true,
      isSealed: true,
      isUnverified: false,
      exitCode: 0,
      isTimedOut: false,
      durationMs: 12,
      reason: "passed",
      tests: { passed: 2, failed: 0, skipped: 0, missing: 0, added: 0, names: ["secret name"] },
      output: "ok",
      log: "e".repeat(64),
    },
  ],
  commands: [{ command: "npm test", exitCode: 0, report: "7".repeat(64) }],
  tools: [{ name: "node", sha256: "f".repeat(64) }],
  judges: [],
  step: null,
  durationMs: 100,
};
const origin = { ralph: "0.1.0", verifiedAt: "2026-11-17T20:00:00.000Z", run: null };

describe("the receipt of a verification", () => {
  it("has every field, the trees with their commits, and counts in the place of texts", () => {
    const receipt = receiptOf(verification, origin);
    expect(hasShape(receiptShape, receipt)).toBe(true);
    expect(receipt).toMatchObject({
      base: "b".repeat(40),
      baseCommit: "1".repeat(40),
      candidate: "a".repeat(40),
      commit: "2".repeat(40),
      seal: { hash: "5".repeat(64), isolation: "copy" },
    });
    expect(JSON.stringify(receipt)).not.toContain("secret name");
  });

  it("is not written for a candidate that was refused, is in dispute, or was tried by one step alone", () => {
    const others: Partial<Verification>[] = [{ verdict: "refused" }, { verdict: "disputed" }, { step: "probe" }];
    for (const other of others) expect(receiptOf({ ...verification, ...other }, origin)).toBeNull();
  });
});
