import { isLooped, type LoopSettings } from "../settings/run/is-looped.ts";
import type { Settings } from "../settings/settings.ts";
import type { CompletionSpec, Criterion, VerificationMethod } from "../tasks/criteria/completion-spec.ts";
import { criteriaFor } from "../tasks/criteria/default-criteria.ts";
import type { Role } from "../tasks/criteria/role.ts";

/** What a role of a task has to achieve and how often it may try, once task and settings have said everything. */
export type RoleTerms = {
  role: Role;
  criterion: Criterion;
  iterationsMax: number;
  /** The task itself names the criterion. */
  isOwn: boolean;
  /** False: switched off by the settings, or a single pass; it has one iteration. */
  isLooped: boolean;
  /** Why the method that the settings name is not the one that is used; null: it is. */
  note: string | null;
};

/** The settings that decide about roles; runs of an earlier version have frozen only some of them. */
export type RoleSettings = Pick<Settings, "maximumIterations" | "missingSpec" | "verifyCommand"> &
  LoopSettings & {
    verification?: { default?: VerificationMethod | null };
    work: {
      maxIterations: Settings["work"]["maxIterations"];
      promises?: Record<Role, string>;
      verification?: Record<Role, VerificationMethod | null>;
    };
  };

type DefinedTask = { title: string; completion: CompletionSpec | null };

/** The terms of one role: those of the task, else of the role's settings, else of the general ones (S2-09, S2-44). */
export function roleTerms(task: DefinedTask, role: Role, settings: RoleSettings): RoleTerms {
  const isSingle = isSinglePass(task, settings);
  const { work, verifyCommand, verification } = settings;
  const method = isSingle ? null : (work.verification?.[role] ?? verification?.default ?? null);
  const promise = work.promises?.[role];
  const criterion = criteriaFor(task, role, {
    verifyCommand: isSingle ? null : verifyCommand,
    method,
    ...(promise === undefined ? {} : { promise }),
  });
  const isOwn = task.completion?.criteria[role] !== undefined;
  const isRepeated = !isSingle && isLooped(settings, role);
  return {
    role,
    criterion,
    iterationsMax: isRepeated ? iterationsOf(criterion, role, settings) : 1,
    isOwn,
    isLooped: isRepeated,
    note: isOwn || method === null ? null : noteOf(method, criterion, verifyCommand),
  };
}

/** Whether a task without a completion spec shall run once a role instead of in a loop (S2-18, CW-2E). */
export function isSinglePass({ completion }: Pick<DefinedTask, "completion">, { missingSpec }: RoleSettings): boolean {
  return completion === null && missingSpec === "single-pass";
}

/** There is always a maximum, whatever is configured (S2-63). */
const iterationsDefault = 10;

/** The criterion's own limit, else the role's, else the general one, else ten (CW-2K). */
function iterationsOf(criterion: Criterion, role: Role, { maximumIterations, work }: RoleSettings): number {
  const general = maximumIterations === "unbounded" ? iterationsDefault : maximumIterations;
  return criterion.maxIterations ?? work.maxIterations[role] ?? general;
}

function noteOf(
  wished: VerificationMethod,
  { verification: { method } }: Criterion,
  verifyCommand: string | null,
): string | null {
  if (wished === method) return null;
  const missing = wished !== "semantic" && verifyCommand === null ? "verifyCommand" : "acceptance criteria";
  return `${wished} needs ${missing}; ${method} is used`;
}
