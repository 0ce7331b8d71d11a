import type { Verification } from "./completion-spec.ts";

/** The part of a verification that can run before any work: commands and stages of commands. Null: nothing. */
export function externalPart(verification: Verification): Verification | null {
  if (verification.method === "external") return verification;
  if (verification.method !== "multi_stage") return null;
  const stages = verification.stages.flatMap((stage) => {
    const part = externalPart(stage.verification);
    return part === null ? [] : [{ ...stage, verification: part }];
  });
  return stages.length === 0 ? null : { ...verification, stages };
}
