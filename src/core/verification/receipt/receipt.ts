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
  /** The commit that the work began with; null: there was none, or its tree had changes that no commit holds. */
  baseCommit: string | null;
  candidate: string;
  /** The commit that delivers the candidate; null: it is in a work tree. */
  commit: string | null;
  checks: ReceiptCheck[];
  /** Commands that ran in the sealed copy, each with the hash of what its tests showed. */
  commands: { command: string; exitCode: number; report: string | null }[];
  /** Programs that the checks started, by the hash of their files. */
  tools: { name: string; sha256: string }[];
  /** Models and programs that judged. */
  judges: { program: string; model: string | null }[];
  /** The run that came to this, with the hash of its last journal entry; null for a verification without a run. */
  run: { id: string; journal: string } | null;
};

/** One check with what is left of it. Its output is named by its hash; the text stays where it is. */
export type ReceiptCheck = {
  gate: string;
  name: string;
  exitCode: number;
  isSealed?: true;
  tests?: Omit<TestSummary, "names" | "allowed" | "flaky">;
  log: string | null;
};

function spelled(what: string, pattern: RegExp): Shape<string> {
  return {
    problem: (value, path) => (typeof value === "string" && pattern.test(value) ? null : `${path} is not ${what}`),
  };
}

/** Names of objects of git and hashes of ours: nothing else stands in their places. */
const objectName = spelled("the name of an object of git", /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const sha256 = spelled("a sha256", /^[0-9a-f]{64}$/);
const moment = spelled("a time in UTC", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

const tests: Shape<Omit<TestSummary, "names" | "allowed" | "flaky">> = objectOf<
  Omit<TestSummary, "names" | "allowed" | "flaky">
>({
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
  log: nullable(sha256),
});

/** Every field of a receipt, for those that somebody else wrote or changed. */
export const receiptShape: Shape<Receipt> = objectOf<Receipt>({
  ralph: text,
  verifiedAt: moment,
  contract: objectOf({ hash: sha256, revision: count }),
  seal: nullable(objectOf({ hash: sha256, isolation: oneOf("namespace", "copy") })),
  base: nullable(objectName),
  baseCommit: nullable(objectName),
  candidate: objectName,
  commit: nullable(objectName),
  checks: list(check),
  commands: list(objectOf({ command: text, exitCode: number, report: nullable(sha256) })),
  tools: list(objectOf({ name: text, sha256 })),
  judges: list(objectOf({ program: text, model: nullable(text) })),
  run: nullable(objectOf({ id: text, journal: sha256 })),
});
