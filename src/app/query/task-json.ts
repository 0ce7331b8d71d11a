import { openDependencies } from "../../core/tasks/check-dependencies.ts";
import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { writeCompletionSpec } from "../../core/tasks/criteria/read-completion-spec.ts";
import { roles } from "../../core/tasks/criteria/role.ts";
import type { Task } from "../../core/tasks/task.ts";
import { roleTerms, type RoleTerms } from "../../core/work/role-terms.ts";
import type { Settings } from "../../core/settings/settings.ts";

/** The terms of a role as views show them. */
export type ShownTerms = RoleTerms & {
  /** False: `work.roles` leaves it out. */
  isAsked: boolean;
};

/** What each role of a task would be held to now, in their order. */
export function termsOf(task: Task, settings: Settings): ShownTerms[] {
  return roles.map((role) => ({
    ...roleTerms(task, role, settings),
    isAsked: settings.work.roles.includes(role),
  }));
}

/** The commands that a verification runs, those of its stages in their order. */
export function commandsOf(verification: Verification): string[] {
  switch (verification.method) {
    case "external":
      return [verification.command];
    case "multi_stage":
      return verification.stages.flatMap((stage) => commandsOf(stage.verification));
    case "custom":
      return [verification.module ?? (verification.command ?? []).join(" ")];
    case "semantic":
    case "string_match":
      return [];
  }
}

/** A task as programs get it; `completion` as files have it. */
export function taskJson(task: Task, tasks: readonly Task[], settings: Settings): Record<string, unknown> {
  return {
    ...task,
    completion: task.completion === null ? null : writeCompletionSpec(task.completion),
    role: task.progress?.role ?? null,
    roles: termsOf(task, settings).map(termsJson),
    maxIterations: iterationsMax(task, settings),
    waitsFor: openDependencies(task, tasks),
    createdAt: new Date(task.createdAt).toISOString(),
    updatedAt: new Date(task.updatedAt).toISOString(),
  };
}

function termsJson({ role, criterion, iterationsMax: maxIterations, ...rest }: ShownTerms): Record<string, unknown> {
  const { promise, verification } = criterion;
  return { role, method: verification.method, maxIterations, commands: commandsOf(verification), promise, ...rest };
}

/** The iterations all roles together may use on one way through. */
export function iterationsMax(task: Task, settings: Settings): number {
  const asked = termsOf(task, settings).filter(({ isAsked }) => isAsked);
  return asked.reduce((sum, each) => sum + each.iterationsMax, 0);
}
