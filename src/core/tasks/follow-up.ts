import { writeCompletionSpec } from "./criteria/read-completion-spec.ts";
import { isTaskId } from "./read-task.ts";
import type { Task } from "./task.ts";

/** What a person says of a task that follows another one; null: it is derived. */
export type FollowUpWish = {
  id: string | null;
  title: string | null;
  /** Take over the criteria of the former task's roles. */
  hasSameChecks: boolean;
  /** Ids in use. */
  taken: readonly string[];
};

/**
 * The document of a task that follows another one: of the same specification, after it and with a reference to it. After a
 * task that failed nothing could begin, so that its follow-up does not wait for it: it takes the work over, with what done
 * means and with the reasons of the failure. Any other follow-up needs an outcome and criteria of its own (S2-52).
 */
export function followUpOf(former: Task, wish: FollowUpWish): Record<string, unknown> {
  const isFailed = former.status === "failed";
  const completion = completionOf(former, wish.hasSameChecks);
  return {
    id: wish.id ?? nextId(former.id, wish.taken),
    spec: former.spec,
    title: wish.title ?? `Follow-up of ${former.id}: ${former.title}`,
    description: descriptionOf(former),
    priority: former.priority,
    ...(isFailed ? { dependencies: former.dependencies } : { dependencies: [former.id] }),
    ...(former.assignee === null ? {} : { assignee: former.assignee }),
    metadata: { followUpOf: former.id },
    ...(Object.keys(completion).length === 0 ? {} : { completion }),
  };
}

/** Letters that an id may have at most. */
const idCharsMax = 64;

/** The former id with the first number that is free. */
function nextId(id: string, taken: readonly string[]): string {
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const next = `${id.slice(0, idCharsMax - ending.length)}${ending}`;
    if (!taken.includes(next) && isTaskId(next)) return next;
  }
}

function completionOf({ status, completion }: Task, hasSameChecks: boolean): Record<string, unknown> {
  if (completion === null) return {};
  const { outcome, acceptance_criteria: criteria, ...perRole } = writeCompletionSpec(completion);
  return {
    ...(status === "failed" ? { outcome, acceptance_criteria: criteria } : {}),
    ...(status === "failed" || hasSameChecks ? perRole : {}),
  };
}

function descriptionOf({ id, title, status, description, progress }: Task): string {
  const reasons = (progress?.reasons ?? []).map(({ role, round, text }) => `- Round ${round}, ${role}: ${text}`);
  if (status !== "failed") return `Follows task ${id} (${title}), whose work is there.`;
  return [
    `Takes over task ${id} (${title}), which failed${progress === null || progress.note === "" ? "." : `: ${progress.note}`}`,
    ...(reasons.length === 0 ? [] : ["It was sent back before:", ...reasons]),
    ...(description.trim() === "" ? [] : ["", description.trim()]),
  ].join("\n");
}
