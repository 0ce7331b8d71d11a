import type { StageVerdict } from "./verdict.ts";

/** Combines the stages of a `multi_stage`. Only facts decide; names and reasons are never read. */
export function foldStages(
  ran: readonly StageVerdict[],
  { stageCount, requireAll }: { stageCount: number; requireAll: boolean },
): { isPassed: boolean; reason: string } {
  const failed = ran.filter((stage) => !stage.isPassed);
  const required = failed.filter((stage) => stage.isRequired);
  const [first] = required;
  if (first !== undefined) {
    if (requireAll) return { isPassed: false, reason: `Stage '${first.name}' failed: ${first.reason}` };
    return {
      isPassed: false,
      reason: `Failed stages: ${required.map(({ name, reason }) => `${name}: ${reason}`).join("; ")}`,
    };
  }
  // A stage that never ran cannot have passed.
  if (ran.length < stageCount || stageCount === 0)
    return { isPassed: false, reason: `Only ${ran.length} of ${stageCount} verification stages ran` };
  if (failed.length === 0) return { isPassed: true, reason: `All ${stageCount} verification stages passed` };
  const names = failed.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  const passed = stageCount - failed.length;
  return {
    isPassed: true,
    reason: `${passed}/${stageCount} verification stages passed (optional failed: ${names})`,
  };
}

/** What is known of a stage that ran. */
export type RanStage = { isRequired: boolean; isPassed: boolean };

/** Whether no further stage may begin after this one: it failed, and all required ones must pass. */
export function endsStages({ isRequired, isPassed }: RanStage, requireAll: boolean): boolean {
  return !isPassed && isRequired && requireAll;
}

/** Whether a judge without an answer must be waited for: not when its stage is optional, or another one failed (S2-39). */
export function needsAnswer({ isRequired }: { isRequired: boolean }, others: readonly RanStage[]): boolean {
  const isRed = others.some((each) => each.isRequired && !each.isPassed);
  return isRequired && !isRed;
}
