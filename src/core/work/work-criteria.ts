import { outcomeDefault } from "../prompts/role-prompt.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import { roleTerms } from "./role-terms.ts";

/** What the claims of all roles of all tasks of a work run are verified against; none in another run. */
export function workCriteria({ work, settings }: Pick<FrozenRun, "work" | "settings">): RoleCriterion[] {
  const { tasks = [], roles = [] } = work ?? {};
  return tasks.flatMap((task) =>
    roles.map((role) => ({
      role,
      criterion: roleTerms(task, role, settings).criterion,
      outcome: task.completion?.outcome ?? outcomeDefault,
      acceptanceCriteria: task.completion?.acceptanceCriteria ?? [],
    })),
  );
}
