import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";

/** Whether a judge is asked somewhere in a verification. */
export function needsJudge(verification: Verification): boolean {
  if (verification.method === "multi_stage") return verification.stages.some((stage) => needsJudge(stage.verification));
  return verification.method === "semantic";
}
