import type { VerificationMethod } from "../tasks/criteria/completion-spec.ts";

/** Text that may be long: above 4 KB the store keeps it as a blob, so that state and journal stay small. */
export type TextRef = { text: string } | { blob: string };

/** Above this many characters a text becomes a blob (state stays under 64 KB). */
export const inlineCharsMax = 4096;

/** The result of one check, with its evidence. Typed: no text of it is ever searched for "passed". */
export type Verdict = {
  /** Position in the frozen list of checks of its kind. */
  index: number;
  /** The command or name people see. */
  name: string;
  isPassed: boolean;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** One sentence for people and for the next prompt. */
  reason: string;
  /** Output as the agent will see it: truncated, trailing white space trimmed. */
  output: TextRef;
  /** The copy of the full output for the agent, relative to the project. An agent can rewrite it. */
  logFile: string | null;
  /** The full output, relative to the state folder. Null: nothing is kept; absent: an earlier version stored this. */
  evidence?: string | null;
  /** Only of a criterion: how it was verified. */
  method?: VerificationMethod;
  /** Only of `multi_stage`: what each stage that ran said, inner stages as `outer/inner`. */
  stages?: StageVerdict[];
  /** Answered by an earlier run of the same command on the same tree in the same iteration. */
  isCached?: true;
  /** The judge gave no answer, and the claim alone decided. */
  isFallback?: true;
  /** Passed without evidence: by the agent's word, or by a check that does not look at the work. */
  isUnverified?: true;
  /** The command ran in a sealed copy, where the agent never was; absent: in the tree it works in. */
  isSealed?: true;
  /** The tree that a sealed verdict speaks for. */
  candidate?: string;
  /**
   * Red only in tests that the candidate itself changed: gates before delivery are asked all the same, since one of them may find
   * that a person has to decide. Nothing is delivered or completed with it.
   */
  isDisputable?: true;
  /** What the report of the tests showed; absent: nobody but the exit code tells. */
  tests?: TestSummary;
};

/** How the tests of a report fared against those of the base, with some of the names that matter. */
export type TestSummary = {
  passed: number;
  failed: number;
  skipped: number;
  missing: number;
  added: number;
  /** Tests that are red, missing or skipped though they passed before; of many the first ones. */
  names: string[];
  /** Tests of before the first turn that the agent may change (`seal.allow`): only its own form of them counts. Of many the first. */
  allowed?: string[];
  /** Tests that were red and green on the base: they must run, and may fail. Of many the first. */
  flaky?: string[];
};

/** The result of one stage, small enough for the state: long texts are in the log. */
export type StageVerdict = {
  name: string;
  method: VerificationMethod;
  isPassed: boolean;
  isRequired: boolean;
  reason: string;
  exitCode: number;
  durationMs: number;
  logFile: string | null;
  evidence?: string | null;
  isCached?: true;
  isFallback?: true;
  isUnverified?: true;
  isSealed?: true;
  tests?: TestSummary;
};
