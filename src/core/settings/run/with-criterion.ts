import type { RoleCriterion } from "../../tasks/criteria/role-criterion.ts";
import type { FrozenRun } from "./frozen-run.ts";

/** A run whose claim is the criterion's promise (CW-2B) and whose gate is its verification. */
export function withCriterion(run: FrozenRun, criterion: RoleCriterion): FrozenRun {
  const { promise } = criterion.criterion;
  return {
    ...run,
    criterion,
    settings: { ...run.settings, completionResponse: promise },
    policy: { ...run.policy, completionText: promise },
  };
}
