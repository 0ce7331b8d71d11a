import { openDependencies } from "../../../core/tasks/check-dependencies.ts";
import type { Verification } from "../../../core/tasks/criteria/completion-spec.ts";
import { criteriaFor, roleDefaults } from "../../../core/tasks/criteria/default-criteria.ts";
import { type Role, roles } from "../../../core/tasks/criteria/role.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { iterationsMax } from "../../../app/query/task-json.ts";

/** A task for people: its state, what done means, and how each role's claim is verified (S2-55). */
export function renderTask(task: Task, tasks: readonly Task[]): string {
  const lines = [
    `Task ${task.id}: ${task.title}`,
    ...fact("Spec", task.spec),
    `Status: ${standingOf(task, tasks)}`,
    `Iterations: ${task.iteration}/${iterationsMax(task)}`,
    `Priority: ${task.priority}`,
    `Version: ${task.version}`,
    ...fact("Depends on", task.dependencies.join(", ")),
    ...fact("Assignee", task.assignee ?? ""),
    ...fact("Metadata", Object.keys(task.metadata).length === 0 ? "" : JSON.stringify(task.metadata)),
    ...section("Description", indented(task.description)),
    ...section("Outcome", indented(task.completion?.outcome ?? "")),
    ...section(
      "Acceptance criteria",
      (task.completion?.acceptanceCriteria ?? []).map((each) => `  - ${each}`),
    ),
    ...section(
      "Roles",
      roles.flatMap((role) => roleLines(task, role)),
    ),
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

function roleLines(task: Task, role: Role): string[] {
  const criterion = criteriaFor(task, role, { verifyCommand: null });
  const isOwn = task.completion?.criteria[role] !== undefined;
  const iterations = criterion.maxIterations ?? roleDefaults[role].maxIterations;
  const origin = isOwn ? "" : ", by default";
  return [
    `  ${role}: <promise>${criterion.promise}</promise>, at most ${iterations} iterations${origin}`,
    ...(isOwn ? [`    ${criterion.description}`] : []),
    ...verificationLines(criterion.verification, "    "),
  ];
}

function verificationLines(verification: Verification, indent: string): string[] {
  switch (verification.method) {
    case "string_match":
      return [`${indent}string_match: the promise${verification.isLoose ? ", anywhere in the output" : " alone"}`];
    case "semantic":
      return [
        `${indent}semantic: a judge looks for`,
        ...verification.checkFor.map((each) => `${indent}  - ${each}`),
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
