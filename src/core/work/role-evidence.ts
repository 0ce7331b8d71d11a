import type { Verdict } from "../verification/verdict.ts";
import { isProof } from "../verification/verdict-word.ts";
import type { ContractGate } from "../contract/contract.ts";
import { roles as allRoles, type Role } from "../tasks/criteria/role.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import type { RoleEvidence } from "../tasks/task.ts";

/** What a role's run ended with. */
export type VerifiedRole = {
  gates: readonly Pick<ContractGate, "id">[];
  verdicts: Readonly<Record<string, readonly Verdict[]>>;
  criterion: RoleCriterion | null;
};

/** The checks behind a role's claim, as people know them. One that only looks for the claim itself does not count. */
export function checksOf({ gates, verdicts, criterion }: VerifiedRole): string[] {
  const found = gates.flatMap(({ id }) => verdicts[id] ?? []).filter(({ isPassed }) => isPassed);
  return [...new Set(found.flatMap((verdict) => namesOf(verdict, criterion)))];
}

function namesOf(verdict: Verdict, criterion: RoleCriterion | null): string[] {
  const { method, stages, name } = verdict;
  if (method === undefined) return [name];
  if (stages !== undefined)
    return stages.filter(isProof).map((stage) => (stage.method === "semantic" ? "a judge" : stage.name));
  if (!isProof(verdict)) return [];
  if (method === "semantic") return ["a judge"];
  const own = criterion?.criterion.verification;
  return [method === "external" && own?.method === "external" ? commandLine(own.command) : name];
}

/** A command of a YAML block has several lines and ends with a line break; a sentence has one line. */
function commandLine(command: string): string {
  return command.trim().replaceAll(/\s*\n\s*/g, " ");
}

/** What a task's `done` rests on: each role with its checks, who had nothing but its word, and who was not asked. */
export function describeEvidence(evidence: readonly RoleEvidence[], roles: readonly Role[]): string {
  const verified = evidence.filter(({ checks }) => checks.length > 0);
  const believed = evidence.filter(({ checks }) => checks.length === 0).map(({ role }) => role);
  const absent = allRoles.filter((role) => !roles.includes(role));
  const parts = [
    ...(verified.length === 0 ? [] : [verified.map(({ role, checks }) => `${role} by ${listOf(checks)}`).join(", ")]),
    ...(believed.length === 0 ? [] : [`${listOf(believed)} by ${believed.length === 1 ? "its" : "their"} word only`]),
  ];
  const how = `${verified.length === 0 ? "Not verified" : "Verified"}: ${parts.join("; ")}.`;
  return absent.length === 0 ? how : `${how} Not asked: ${listOf(absent)}.`;
}

/** Names in a closing sentence; more are counted. */
const namesMax = 3;

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, namesMax + (names.length === namesMax + 1 ? 1 : 0));
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
