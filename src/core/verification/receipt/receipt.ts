import { count, list, nullable, number, objectOf, oneOf, optional, type Shape, text } from "../../shape/shape.ts";
import type { TestSummary } from "../verdict.ts";

/** What was verified, by which checks, on which tree: enough to run all of it again elsewhere and compare. */
export type Receipt = {
  /** The version of ralph that wrote it. */
  ralph: string;
  /** ISO 8601 in UTC. */
  verifiedAt: string;
  contract: { hash: string; revision: number };
  /** Null where nothing was sealed. */
  seal: { hash: string; isolation: "namespace" | "copy" } | null;
  /** Trees of git: what the work began with, and what was verified. */
  base: string | null;
  candidate: string;
  /** The commit that delivers the candidate; null: it is in a work tree. */
  commit: string | null;
  checks: ReceiptCheck[];
  /** Programs that the checks started, by the hash of their files. */
  tools: { name: string; sha256: string }[];
  /** Models and programs that judged. */
  judges: { program: string; model: string | null }[];
  /** The run that came to this, with the hash of its last journal entry; null for a verification without a run. */
  run: { id: string; journal: string } | null;
};

/** One check with what is left of it. Outputs and reports are named by their hashes; the texts stay where they are. */
export type ReceiptCheck = {
  gate: string;
  name: string;
  exitCode: number;
  isSealed?: true;
  tests?: Omit<TestSummary, "names">;
  log: string | null;
};

const tests: Shape<Omit<TestSummary, "names">> = objectOf<Omit<TestSummary, "names">>({
  passed: count,
  failed: count,
  skipped: count,
  missing: count,
  added: count,
});

const check: Shape<ReceiptCheck> = objectOf<ReceiptCheck>({
  gate: text,
  name: text,
  exitCode: number,
  isSealed: optional(oneOf(true as const)),
  tests: optional(tests),
  log: nullable(text),
});

/** Every field of a receipt, for those that somebody else wrote or changed. */
export const receiptShape: Shape<Receipt> = objectOf<Receipt>({
  ralph: text,
  verifiedAt: text,
  contract: objectOf({ hash: text, revision: count }),
  seal: nullable(objectOf({ hash: text, isolation: oneOf("namespace", "copy") })),
  base: nullable(text),
  candidate: text,
  commit: nullable(text),
  checks: list(check),
  tools: list(objectOf({ name: text, sha256: text })),
  judges: list(objectOf({ program: text, model: nullable(text) })),
  run: nullable(objectOf({ id: text, journal: text })),
});
