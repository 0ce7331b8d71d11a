import type { Outcome } from "../run/outcome.ts";
import { describeEvidence } from "./role-evidence.ts";
import { type Role, roles as allRoles } from "../tasks/criteria/role.ts";
import type { TaskProgress, TaskStatus } from "../tasks/task.ts";

/**
 * How a role's run ended. `rejected` is its reason for sending the work back; a typed claim, never read out of a text.
 * `checks` are what verified its claim, without those that only look for the claim itself.
 */
export type RoleEnd = {
  outcome: Outcome;
  rejected: string | null;
  checks?: string[];
  /** A resume would fail in the same way: the flags or the model that are frozen are the cause. */
  needsNewRun?: true;
};

/** Which roles a task goes through, and how often it may be sent back. */
export type WorkRules = { roles: readonly Role[]; rounds: number };

/** What follows: a role's run, or the end of this task's way for now. */
export type NextStep =
  | { kind: "role"; progress: TaskProgress }
  | { kind: "end"; status: TaskStatus; outcome: Outcome; progress: TaskProgress };

/** A reason is a few sentences; the whole is in the role's run. */
const reasonCharsMax = 1000;

/** Where a task begins, or continues after an earlier work run. Null: no role is configured. */
export function firstStep(progress: TaskProgress | null, { roles }: WorkRules): TaskProgress | null {
  const [first] = inOrder(roles);
  if (first === undefined) return null;
  const isOnItsWay = progress !== null && roles.includes(progress.role);
  return isOnItsWay ? progress : { role: first, round: 1, reasons: [], runId: null, note: "" };
}

/**
 * A task's way through its roles: each role only after the one before it was verified, a rejection or a later
 * role out of iterations back to the coder, at most `rounds` times. Done means every role was verified in the last round.
 */
export function nextStep(progress: TaskProgress, end: RoleEnd, rules: WorkRules): NextStep {
  const { outcome, rejected } = end;
  switch (outcome.name) {
    case "completed":
      return afterVerified(progress, end, rules);
    case "exhausted":
      return progress.role === "coder"
        ? ended(progress, "failed", outcome)
        : sendBack(progress, { by: progress.role, text: outcome.reason }, rules);
    case "waiting":
      return rejected === null
        ? ended(progress, "ready", outcome)
        : sendBack(progress, { by: progress.role, text: rejected }, rules);
    case "cancelled":
    case "failed":
    case "stopped":
    case "interrupted":
      return ended(progress, "ready", outcome);
  }
}

function afterVerified(before: TaskProgress, { outcome, checks = [] }: RoleEnd, { roles }: WorkRules): NextStep {
  const former = (before.evidence ?? []).filter(({ role }) => role !== before.role);
  const evidence = [...former, { role: before.role, checks }];
  const progress = { ...before, evidence };
  const order = inOrder(roles);
  const next = order[order.indexOf(progress.role) + 1];
  if (next === undefined) return ended(progress, "done", { ...outcome, reason: describeEvidence(evidence, roles) });
  return { kind: "role", progress: { ...progress, role: next, runId: null, note: "" } };
}

/** One more round for a task whose merged tip was red; the merge itself is undone by then. */
export function backFromTip({ tip: _tip, ...progress }: TaskProgress, reason: string, rules: WorkRules): NextStep {
  return sendBack(progress, { by: "merge", text: reason }, rules);
}

type SentBack = { by: TaskProgress["reasons"][number]["role"]; text: string };

function sendBack(before: TaskProgress, { by, text }: SentBack, { roles, rounds }: WorkRules): NextStep {
  // Whatever was verified is verified again in the next round.
  const { evidence: _evidence, ...progress } = before;
  const { round } = progress;
  const reasons = [...progress.reasons, { role: by, round, text: text.slice(0, reasonCharsMax) }].slice(-rounds - 1);
  const told = { ...progress, reasons };
  const fail = (reason: string): NextStep => ended(told, "failed", { name: "exhausted", reason });
  if (!roles.includes("coder")) return fail(`The ${by} sent it back, and no coder is among its roles: ${text}`);
  if (rounds === 0) return fail(`The ${by} sent it back, and loop.enabled is false: ${text}`);
  if (round > rounds) return fail(`Sent back ${rounds === 1 ? "once" : `${rounds} times`}; the ${by} again: ${text}`);
  return { kind: "role", progress: { ...told, role: "coder", round: round + 1, runId: null, note: "" } };
}

function ended(progress: TaskProgress, status: TaskStatus, outcome: Outcome): NextStep {
  return { kind: "end", status, outcome, progress: { ...progress, note: `${outcome.name}: ${outcome.reason}` } };
}

/** The role after whose verified claim a task is done. */
export function isLastRole(role: Role, roles: readonly Role[]): boolean {
  return inOrder(roles).at(-1) === role;
}

/** The roles named, in the order of the work, whatever the order they were named in. */
function inOrder(roles: readonly Role[]): Role[] {
  return allRoles.filter((role) => roles.includes(role));
}
