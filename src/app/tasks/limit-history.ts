import type { Settings } from "../../core/settings/settings.ts";
import { type LimitProposal, proposeLimits } from "../../core/tasks/propose-limits.ts";
import type { Task } from "../../core/tasks/task.ts";
import { roleTerms } from "../../core/work/role-terms.ts";
import type { Records } from "../../shell/wire-store.ts";
import { pastRoles } from "../query/past-roles.ts";

/** What similar tasks needed of a role, beside the limit that the task has. */
export type LimitHistory = LimitProposal & { limit: number };

/** The history of a task's roles in this project. It proposes and changes nothing. */
export async function limitHistory(
  machine: Pick<Records, "store">,
  { directory, task, settings }: { directory: string; task: Task; settings: Settings },
): Promise<LimitHistory[]> {
  const proposals = proposeLimits(task, await pastRoles(machine, directory));
  return proposals
    .filter(({ role }) => settings.work.roles.includes(role))
    .map((each) => ({ ...each, limit: roleTerms(task, each.role, settings).iterationsMax }));
}
