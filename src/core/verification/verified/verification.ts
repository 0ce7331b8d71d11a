import type { TestSummary } from "../verdict.ts";

/**
 * What a verification came to. `disputed`: the changed tests pass and those of the base do not, and only a person can say which of
 * them are right.
 */
export type VerificationVerdict = "verified" | "refused" | "disputed";

/** A tree of git, and the commit that holds it; null: an index or a work tree does. */
export type NamedTree = { tree: string; commit: string | null };

/**
 * One check of a verification, as it ended.
 *
 * @example
 * ```ts
 * import { type VerifiedCheck } from "ralph";
 *
 * const line = ({ name, isPassed, reason }: VerifiedCheck): string => `${isPassed ? "green" : "red"}: ${name}: ${reason}`;
 * console.log(typeof line);
 * ```
 */
export type VerifiedCheck = {
  /** The id of its gate in the contract. */
  gate: string;
  /** Its command, the name of its criterion, or its step. */
  name: string;
  isPassed: boolean;
  /** It ran in a sealed copy. */
  isSealed: boolean;
  /** It passed without looking at the work. */
  isUnverified: boolean;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** One sentence. */
  reason: string;
  /** What the report of its tests showed; null: only the exit code tells. */
  tests: TestSummary | null;
  /** What it printed, shortened. */
  output: string;
  /** The hash of everything it printed; null: nothing was kept. */
  log: string | null;
};

/** A command that ran in the sealed copy. `report`: the hash of what its tests showed, by name; null: it gives no report. */
export type SealedCommandEnd = { command: string; exitCode: number; report: string | null };

/**
 * A candidate and everything that was found out about it.
 *
 * @example
 * ```ts
 * import { type Verification } from "ralph";
 *
 * const codes: Record<Verification["verdict"], number> = { verified: 0, refused: 1, disputed: 3 };
 * console.log(codes["refused"]);
 * ```
 */
export type Verification = {
  verdict: VerificationVerdict;
  /** Why it is not verified, one sentence per check; empty when it is. */
  reasons: string[];
  base: NamedTree;
  candidate: NamedTree;
  contract: { hash: string; revision: number };
  seal: { hash: string; isolation: "namespace" | "copy"; problem: string | null };
  checks: VerifiedCheck[];
  commands: SealedCommandEnd[];
  /** Programs that the checks start, by the hash of their files. */
  tools: { name: string; sha256: string }[];
  /** Programs and models that were asked for their judgement. */
  judges: { program: string; model: string | null }[];
  /** Only this step of the sealed verification was asked for; null: all of them were. */
  step: string | null;
  durationMs: number;
};

/** The exit code of `ralph verify`; 2 is for what cannot be verified at all. */
export const verificationCodes: Readonly<Record<VerificationVerdict, number>> = {
  verified: 0,
  refused: 1,
  disputed: 3,
};
