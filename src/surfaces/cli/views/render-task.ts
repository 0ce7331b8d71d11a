import { acceptancePlaceholder } from "../../../core/tasks/criteria/completion-spec.ts";
import { openDependencies } from "../../../core/tasks/check-dependencies.ts";
import type { Verification } from "../../../core/tasks/criteria/completion-spec.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { iterationsMax, type ShownTerms, termsOf } from "../../../app/query/task-json.ts";

/** A task among those of its project, and the settings its next run would have. */
export type ShownTask = { task: Task; tasks: readonly Task[]; settings: Settings };

/** A task for people: its state, what done means, and how each role's claim would be verified now (S2-55). */
export function renderTask({ task, tasks, settings }: ShownTask): string {
  const lines = [
    `Task ${task.id}: ${task.title}`,
    ...fact("Spec", task.spec),
    `Status: ${standingOf(task, tasks)}`,
    `Iterations: ${task.iteration}/${iterationsMax(task, settings)}`,
    `Priority: ${task.priority}`,
    `Version: ${task.version}`,
    ...fact("Depends on", task.dependencies.join(", ")),
    ...fact("Assignee", task.assignee ?? ""),
    ...fact("Metadata", Object.keys(task.metadata).length === 0 ? "" : JSON.stringify(task.metadata)),
    ...section(
      "Other fields of its file, kept and not used",
      Object.entries(task.other ?? {}).map(([key, value]) => `  ${key}: ${shown(value)}`),
    ),
    ...section("Description", indented(task.description)),
    ...section("Outcome", indented(task.completion?.outcome ?? "")),
    ...section(
      "Acceptance criteria",
      (task.completion?.acceptanceCriteria ?? []).map((each) => `  - ${each}`),
    ),
    ...section("Roles", termsOf(task, settings).flatMap(roleLines)),
    ...section(
      "Sent back",
      (task.progress?.reasons ?? []).map((each) => `  - ${each.role}, round ${each.round}: ${each.text}`),
    ),
  ];
  return cleanLines(lines);
}

function fact(name: string, value: string): string[] {
  return value === "" ? [] : [`${name}: ${value}`];
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${name}:`, ...lines];
}

function indented(text: string): string[] {
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`);
}

function standingOf(task: Task, tasks: readonly Task[]): string {
  const waitsFor = task.status === "ready" ? openDependencies(task, tasks) : [];
  if (waitsFor.length > 0) return `waits for ${waitsFor.join(", ")}`;
  if (task.progress === null) return task.status;
  const { role, round, runId, note } = task.progress;
  const where = `${role}, round ${round}${runId === null ? "" : `, run ${runId}`}`;
  return `${task.status} (${where})${note === "" ? "" : `: ${note}`}`;
}

function roleLines({ role, criterion, iterationsMax: limit, isOwn, ...terms }: ShownTerms): string[] {
  const notes = [
    ...(isOwn ? [] : ["by default"]),
    ...(terms.isLooped ? [] : ["not repeated"]),
    ...(terms.isAsked ? [] : ["not among work.roles"]),
  ];
  const limits = `at most ${limit} ${limit === 1 ? "iteration" : "iterations"}`;
  return [
    `  ${role}: <promise>${criterion.promise}</promise>, ${[limits, ...notes].join(", ")}`,
    ...(isOwn ? [`    ${criterion.description}`] : []),
    ...(terms.note === null ? [] : [`    ${terms.note}`]),
    ...verificationLines(criterion.verification, "    "),
  ];
}

/** How a claim is verified, each line behind the indent. */
export function verificationLines(verification: Verification, indent: string): string[] {
  switch (verification.method) {
    case "string_match":
      return [`${indent}string_match: the promise${verification.isLoose ? ", anywhere in the output" : " alone"}`];
    case "semantic":
      return [
        `${indent}semantic: a judge looks for`,
        ...verification.checkFor.map((each) => `${indent}  - ${checkForText(each)}`),
        ...verification.negativePatterns.map(({ pattern, scope }) => `${indent}  - not "${pattern}" in the ${scope}`),
      ];
    case "external":
      return [`${indent}external: ${verification.command}${conditionsOf(verification)}`];
    case "multi_stage":
      return [
        `${indent}multi_stage: ${verification.stages.length} stages`,
        ...verification.stages.flatMap(({ name, isRequired, verification: inner }) => [
          `${indent}  ${name}${isRequired ? "" : " (optional)"}`,
          ...verificationLines(inner, `${indent}    `),
        ]),
      ];
    case "custom":
      return [`${indent}custom: ${verification.module ?? (verification.command ?? []).join(" ")}`];
  }
}

/** The conditions of success besides exit code 0. */
function conditionsOf(verification: Extract<Verification, { method: "external" }>): string {
  const { successExitCode, outputContains, outputNotContains, workingDir } = verification;
  const conditions = [
    ...(workingDir === "." ? [] : [`in ${workingDir}`]),
    ...(successExitCode === 0 ? [] : [`exit code ${successExitCode}`]),
    ...(outputContains === null ? [] : [`output has "${outputContains}"`]),
    ...(outputNotContains === null ? [] : [`output has no "${outputNotContains}"`]),
  ];
  return conditions.length === 0 ? "" : ` (${conditions.join(", ")})`;
}

/** The placeholder stands for what the task itself asks for. */
function checkForText(item: string): string {
  return item === acceptancePlaceholder ? "each acceptance criterion of the task" : item;
}
