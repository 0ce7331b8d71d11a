import { hasChecks } from "../contract/contract-lines.ts";
import type { Gate } from "../contract/gate.ts";
import { isMetByClaim } from "../contract/is-met-by-claim.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import { roleTerms } from "./role-terms.ts";

/**
 * The tasks of a work run that nothing but the word of agents would complete: no gate of the merged tip is a check, and every role
 * is verified by its promise alone. One role with a check suffices, such as a tester behind a coder.
 */
export function uncheckedTasks(
  { work, settings }: Pick<FrozenRun, "work" | "settings">,
  gates: readonly Gate[],
): string[] {
  if (hasChecks(gates)) return [];
  const { tasks = [], roles = [] } = work ?? {};
  return tasks
    .filter((task) => roles.every((role) => isMetByClaim(roleTerms(task, role, settings).criterion.verification)))
    .map(({ id }) => id);
}
