import type { Verification } from "../tasks/criteria/completion-spec.ts";

/** Whether a promise is all that a verification asks for; optional stages refuse nothing. */
export function isMetByClaim(verification: Verification): boolean {
  if (verification.method !== "multi_stage") return verification.method === "string_match";
  return verification.stages.every((stage) => !stage.isRequired || isMetByClaim(stage.verification));
}
