import type { StepProgress } from "../verification/sealed/step-progress.ts";
import type { Verdict } from "../verification/verdict.ts";
import type { Gate } from "./gate.ts";

/**
 * Progress of a check: it starts (no verdict yet) or has ended. `output`: how the output of a red one begins, for people. `step`: where a
 * check of several long steps stands.
 */
export type CheckProgress = {
  gate: Pick<Gate, "name" | "tells">;
  verdict: Verdict | null;
  output?: string;
  step?: StepProgress;
};
