import {
  acceptancePlaceholder,
  type CompletionSpec,
  type Criterion,
  type Verification,
  type VerificationMethod,
} from "./completion-spec.ts";
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

/** What the settings say of a role's criterion where its task says nothing. `method` null: whatever can succeed. */
export type RoleWish = { verifyCommand: string | null; promise?: string; method?: VerificationMethod | null };

/** The criterion of a role: the task's own, else a default that can succeed (S2-44, S2-45, CW-2F). */
export function criteriaFor(
  task: { title: string; completion: CompletionSpec | null },
  role: Role,
  { verifyCommand, promise = roleDefaults[role].promise, method = null }: RoleWish,
): Criterion {
  const description = `Complete ${role} stage for: ${task.title}`;
  const own = task.completion?.criteria[role];
  if (own !== undefined) return { ...own, description: own.description === "" ? description : own.description };
  const hasCriteria = (task.completion?.acceptanceCriteria.length ?? 0) > 0;
  const verification = defaultVerification(method ?? usualMethods[role], { verifyCommand, hasCriteria });
  return { promise, description, maxIterations: task.completion?.limits?.[role] ?? null, verification };
}

/** The methods of the roles where nobody names one (S2-44). */
const usualMethods: Record<Role, VerificationMethod> = {
  coder: "external",
  reviewer: "semantic",
  tester: "external",
  qa: "multi_stage",
};

type Known = { verifyCommand: string | null; hasCriteria: boolean };

/** The method that is wished if it can succeed, else a judge if there are criteria, else the claim alone. */
function defaultVerification(method: VerificationMethod, { verifyCommand, hasCriteria }: Known): Verification {
  const command = verifyCommand === null || verifyCommand.trim() === "" ? null : external(verifyCommand);
  if (method === "external" && command !== null) return command;
  if (method === "multi_stage" && command !== null && hasCriteria) return verifyThenAccept(command);
  return hasCriteria && method !== "string_match"
    ? semantic
    : { method: "string_match", promise: null, isLoose: false };
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
