import { acceptancePlaceholder } from "./completion-spec.ts";

/** What a judge checks for: the task's acceptance criteria replace the placeholder (S2-40, CW-2H). */
export function expandCheckFor(checkFor: readonly string[], acceptanceCriteria: readonly string[]): string[] {
  return checkFor.flatMap((item) => (item === acceptancePlaceholder ? acceptanceCriteria : [item]));
}
