import type { Criterion } from "./completion-spec.ts";
import type { Role } from "./role.ts";

/** What the claim of one role's run is verified against, frozen with the run (S2-06). */
export type RoleCriterion = {
  role: Role;
  criterion: Criterion;
  /** The task's own outcome and acceptance criteria, or their defaults. */
  outcome: string;
  acceptanceCriteria: string[];
};
