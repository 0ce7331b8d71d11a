import { acceptancePlaceholder, type CompletionSpec, type Criterion, type Verification } from "./completion-spec.ts";
import type { Role } from "./role.ts";

/** Default promise and limit of each role (S2-42, S2-43). */
export const roleDefaults: Record<Role, { promise: string; maxIterations: number }> = {
  coder: { promise: "IMPLEMENTATION_COMPLETE", maxIterations: 15 },
  reviewer: { promise: "REVIEW_PASSED", maxIterations: 5 },
  tester: { promise: "TESTS_PASSED", maxIterations: 10 },
  qa: { promise: "QA_PASSED", maxIterations: 5 },
};

/** A verify command has the same limit as an `external` check (S2-27). */
const verifyTimeoutMs = 300_000;

/** The criterion of a role: the task's own, else a default that can succeed (S2-44, S2-45, CW-2F). */
export function criteriaFor(
  task: { title: string; completion: CompletionSpec | null },
  role: Role,
  { verifyCommand }: { verifyCommand: string | null },
): Criterion {
  const description = `Complete ${role} stage for: ${task.title}`;
  const own = task.completion?.criteria[role];
  if (own !== undefined) return { ...own, description: own.description === "" ? description : own.description };
  const hasCriteria = (task.completion?.acceptanceCriteria.length ?? 0) > 0;
  const verification = defaultVerification(role, { verifyCommand, hasCriteria });
  return { promise: roleDefaults[role].promise, description, maxIterations: null, verification };
}

type Known = { verifyCommand: string | null; hasCriteria: boolean };

/** The role's usual method if it can run, else a judge if there are criteria, else the claim alone. */
function defaultVerification(role: Role, { verifyCommand, hasCriteria }: Known): Verification {
  const command = verifyCommand === null || verifyCommand.trim() === "" ? null : external(verifyCommand);
  if ((role === "coder" || role === "tester") && command !== null) return command;
  if (role === "qa" && command !== null && hasCriteria) return verifyThenAccept(command);
  return hasCriteria ? semantic : { method: "string_match", promise: null, isLoose: false };
}

const semantic: Verification = {
  method: "semantic",
  checkFor: [acceptancePlaceholder],
  negativePatterns: [],
  model: null,
};

function external(command: string): Verification {
  return {
    method: "external",
    command,
    successExitCode: 0,
    outputContains: null,
    outputNotContains: null,
    timeoutMs: verifyTimeoutMs,
    workingDir: ".",
  };
}

function verifyThenAccept(command: Verification): Verification {
  const required = { isRequired: true, isAlways: false };
  return {
    method: "multi_stage",
    stages: [
      { name: "verify", ...required, verification: command },
      { name: "acceptance", ...required, verification: semantic },
    ],
    requireAll: true,
    parallelMax: 1,
  };
}
