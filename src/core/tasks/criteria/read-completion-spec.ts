import { isObject } from "../../text/is-object.ts";
import type { CompletionSpec, Criterion } from "./completion-spec.ts";
import { type Fields, nameOf, openFields, type Problem } from "./document-fields.ts";
import { readVerification } from "./read-verification.ts";
import { roles } from "./role.ts";
import { writeVerification } from "./write-verification.ts";

/** Acceptance criteria of one task; a task that needs more is several tasks. */
const criteriaMax = 100;

/** A tag's content ends at 4 KB; a promise is a few words. */
const promiseCharsMax = 200;

/** The most iterations a criterion may ask for. */
const iterationsMax = 10_000;

/**
 * Reads what done means for a task from a document (S2-50) and returns every problem at once, each with its path. It uses
 * no schema library, because hooks load it.
 */
export function readCompletionSpec(value: unknown): { spec: CompletionSpec } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const fields = openFields(value, { path: "", known: ["outcome", "acceptance_criteria", ...roles], problems });
  if (fields === null) return { problems };
  const outcome = fields.needText("outcome");
  const acceptanceCriteria = readAcceptance(fields);
  const criteria: CompletionSpec["criteria"] = {};
  const limits: CompletionSpec["limits"] = {};
  for (const role of roles) {
    const given = fields.value(role);
    if (given === undefined || given === null) continue;
    const limit = isLimitOnly(given) ? readLimit(given, role, problems) : null;
    const criterion = isLimitOnly(given) ? null : readAt(given, role, problems);
    if (limit !== null) limits[role] = limit;
    if (criterion !== null) criteria[role] = criterion;
  }
  if (problems.length > 0 || outcome === null) return { problems };
  const hasLimits = Object.keys(limits).length > 0;
  return { spec: { outcome, acceptanceCriteria, criteria, ...(hasLimits ? { limits } : {}) } };
}

/** A role with a limit and nothing else keeps its default promise and method. */
function isLimitOnly(value: unknown): boolean {
  return isObject(value) && Object.keys(value).join() === "max_iterations";
}

function readLimit(value: unknown, path: string, problems: Problem[]): number | null {
  const fields = openFields(value, { path, known: ["max_iterations"], problems });
  return fields?.integer("max_iterations", { min: 1, max: iterationsMax }) ?? null;
}

/** The document of a spec; absent roles are left out, and reading it gives the same spec (S2-03). */
export function writeCompletionSpec(spec: CompletionSpec): Record<string, unknown> {
  const given = roles.flatMap((role) => {
    const criterion = spec.criteria[role];
    const limit = spec.limits?.[role];
    if (criterion !== undefined) return [[role, writeCriterion(criterion)] as const];
    return limit === undefined ? [] : [[role, { max_iterations: limit }] as const];
  });
  return { outcome: spec.outcome, acceptance_criteria: spec.acceptanceCriteria, ...Object.fromEntries(given) };
}

/** Reads one role's criterion (S2-02). */
export function readCriterion(value: unknown, path = ""): { criterion: Criterion } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const criterion = readAt(value, path, problems);
  return criterion === null || problems.length > 0 ? { problems } : { criterion };
}

/** The document of a criterion; reading it gives the same criterion. */
export function writeCriterion(criterion: Criterion): Record<string, unknown> {
  return {
    promise: criterion.promise,
    ...(criterion.description === "" ? {} : { description: criterion.description }),
    verification_method: criterion.verification.method,
    verification_config: writeVerification(criterion.verification),
    ...(criterion.maxIterations === null ? {} : { max_iterations: criterion.maxIterations }),
  };
}

/** The criterion of a role; null when it has none, also for an unknown role (S2-04). */
export function criterionOf(spec: CompletionSpec, role: string): Criterion | null {
  const known = roles.find((name) => name === role);
  return known === undefined ? null : (spec.criteria[known] ?? null);
}

function readAcceptance(fields: Fields): string[] {
  const given = fields.value("acceptance_criteria");
  const items = fields.list("acceptance_criteria", criteriaMax);
  if (given === undefined || given === null || (Array.isArray(given) && given.length === 0))
    fields.problem("acceptance_criteria", "needs at least one criterion");
  return items.flatMap((item, index) => {
    if (typeof item === "string" && item.trim() !== "") return [item];
    fields.problem(`acceptance_criteria[${index}]`, `must be a text that says something, not ${nameOf(item)}`);
    return [];
  });
}

const criterionKeys = ["promise", "description", "verification_method", "verification_config", "max_iterations"];

function readAt(value: unknown, path: string, problems: Problem[]): Criterion | null {
  const fields = openFields(value, { path, known: criterionKeys, problems });
  if (fields === null) return null;
  const promise = readPromise(fields);
  const description = fields.value("description") === "" ? "" : (fields.text("description") ?? "");
  const maxIterations = fields.integer("max_iterations", { min: 1, max: iterationsMax });
  const verification = readVerification(
    { method: fields.value("verification_method"), config: fields.value("verification_config") },
    { path, keys: { method: "verification_method", config: "verification_config" }, depth: 1, problems },
  );
  return promise === null || verification === null ? null : { promise, description, maxIterations, verification };
}

/** These words begin other claims: an agent that outputs them is not done. */
const reserved = /^(BLOCKED|DECIDE|REJECT)\s*(:|$)/i;

function readPromise(fields: Fields): string | null {
  const promise = fields.needText("promise", promiseCharsMax);
  if (promise === null) return null;
  if (/[<>]/.test(promise)) return fields.problem("promise", `must not contain "<" or ">": it stands inside a tag`);
  if (reserved.test(promise.trim()))
    return fields.problem("promise", `must not begin with BLOCKED, DECIDE or REJECT, which mean that work is not done`);
  return promise;
}
