import type { Verification } from "../verified/verification.ts";
import type { Receipt, ReceiptCheck } from "./receipt.ts";

/** What a receipt says beside what was found out. */
export type ReceiptOrigin = Pick<Receipt, "ralph" | "verifiedAt" | "run">;

/** The receipt for a verified candidate; null for any other, and for a verification of which only one step was asked for. */
export function receiptOf(verification: Verification, origin: ReceiptOrigin): Receipt | null {
  const { verdict, step, contract, seal, base, candidate, checks, commands, tools, judges } = verification;
  if (verdict !== "verified" || step !== null) return null;
  return {
    ...origin,
    contract,
    seal: { hash: seal.hash, isolation: seal.isolation },
    base: base.tree,
    baseCommit: base.commit,
    candidate: candidate.tree,
    commit: candidate.commit,
    checks: checks.map(checkOf),
    commands,
    tools,
    judges,
  };
}

function checkOf({ gate, name, exitCode, isSealed, tests, log }: Verification["checks"][number]): ReceiptCheck {
  const counts = tests === null ? {} : { tests: countsOf(tests) };
  return { gate, name, exitCode, ...(isSealed ? { isSealed: true as const } : {}), ...counts, log };
}

function countsOf({
  passed,
  failed,
  skipped,
  missing,
  added,
}: NonNullable<Verification["checks"][number]["tests"]>): NonNullable<ReceiptCheck["tests"]> {
  return { passed, failed, skipped, missing, added };
}
