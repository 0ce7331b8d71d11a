import type { Criterion } from "./completion-spec.ts";

/** A criterion's name for people: its description, else what is claimed. */
export function criterionName({ description, promise }: Pick<Criterion, "description" | "promise">): string {
  return description === "" ? promise : description;
}
