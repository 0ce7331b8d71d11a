import type { NumberedTest } from "./number-tests.ts";

/** Why tests refuse a claim. */
export type Refusal =
  | { kind: "failed" | "missing" | "skipped"; tests: NumberedTest[] }
  | { kind: "fewer"; group: string | null; passedBase: number; passedNow: number }
  | { kind: "more-failed"; group: string | null; failedBase: number; failedNow: number }
  | { kind: "empty"; baseCount: number };
