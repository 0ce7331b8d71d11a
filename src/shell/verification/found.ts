import type { StageVerdict, TestSummary } from "../../core/verification/verdict.ts";
import type { GateStop } from "../../core/run/outcome.ts";

/** What a method found. `cut`: it was told to end, and says nothing. */
export type Found = FoundFacts | Unasked | "cut";

/** The judge did not answer: nothing is known about the work, and the run cannot continue without a verdict. */
export type Unasked = { stop: GateStop };

export type FoundFacts = {
  isPassed: boolean;
  reason: string;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  output: string;
  logFile: string | null;
  evidence: string | null;
  stages?: StageVerdict[];
  isCached?: true;
  isFallback?: true;
  /** Passed by the agent's word alone. */
  isUnverified?: true;
  isSealed?: true;
  tests?: TestSummary;
};

/** A finding of a method that runs no command; the exit code is only for what compares results. */
export function found(isPassed: boolean, reason: string, facts: Partial<FoundFacts> = {}): FoundFacts {
  return {
    isPassed,
    reason,
    exitCode: isPassed ? 0 : 1,
    isTimedOut: false,
    durationMs: 0,
    output: "",
    logFile: null,
    evidence: null,
    ...facts,
  };
}
