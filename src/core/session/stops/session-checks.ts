import { noCheckWarning } from "../../contract/contract-lines.ts";
import { isMetByClaim } from "../../contract/is-met-by-claim.ts";
import { roles } from "../../tasks/criteria/role.ts";
import type { Verification } from "../../tasks/criteria/completion-spec.ts";
import type { Verdict } from "../../verification/verdict.ts";
import { believedVerdict, redVerdict } from "../read-verdicts.ts";

/**
 * Whether a session is held to checks at all. A loop of ours always is, by the guardrails of the settings; without one a
 * project needs criteria of its own.
 */
export function isHeldToChecks({ isLoop, hasCriteria }: { isLoop: boolean; hasCriteria: boolean }): boolean {
  return isLoop || hasCriteria;
}

/** Whether a loop of a program is held to the checks of its project: one that gives none of its own is. */
export function isHeldToProject(given: unknown): boolean {
  return given === undefined;
}

/**
 * What becomes of the checks of a session when they are needed: those that were frozen are kept, and a session that has none
 * yet freezes them now. A loop that lives has lost what was frozen for it: what the agent wrote since does not count.
 */
export function freezingOf({ isKept, isLiving }: { isKept: boolean; isLiving: boolean }): "keep" | "freeze" | "lost" {
  if (isKept) return "keep";
  return isLiving ? "lost" : "freeze";
}

/**
 * What becomes of the checks when a session begins. `isKnown`: it was held to checks before. Those stay, whatever the host calls
 * this begin: a session that is truly new has an id of its own, so a known one that begins again may be its agent's word. A loop
 * keeps what was frozen for it.
 */
export function beginChecks({ isFresh, hasLoop, isKnown }: { isFresh: boolean; hasLoop: boolean; isKnown: boolean }): {
  isFrozen: boolean;
  isTreeKept: boolean;
} {
  return { isFrozen: !hasLoop, isTreeKept: isFresh && !hasLoop && !isKnown };
}

/** What was found for a session: its criteria, how many guardrails, and why the file of criteria cannot be used. */
export type FoundChecks = {
  isLoop: boolean;
  criteria: readonly Verification[];
  guardrailCount: number;
  problem: string | null;
};

/**
 * How many checks a session is held to; null: it has none. The claim of a loop stands for a promise, so criteria that ask for
 * nothing else are not a check. A file that cannot be used is one.
 */
export function countChecks({ isLoop, criteria, guardrailCount, problem }: FoundChecks): number | null {
  const count = guardrailCount + criteria.length;
  const isClaimOnly = isLoop && criteria.every(isMetByClaim);
  const isUnchecked = count === 0 || (isClaimOnly && guardrailCount === 0);
  return isUnchecked && problem === null ? null : count;
}

/**
 * Why frozen checks do not count: they are not those that the session's run began with. Null: they are, or a version that
 * kept no hash began the run.
 */
export function otherChecks(bound: string, found: string): string | null {
  if (bound === "" || bound === found) return null;
  return "the checks that were frozen for this session were changed since; cancel its loop, or begin another session";
}

/** What the settings want of a loop without checks; `requireProgress` null: not set. */
export type CompletionRules = { requireChecks: boolean; requireProgress: boolean | null };

/** Why a loop without checks may not begin, or what people must know of it, and whether its claim needs a change. */
export type UncheckedStart = { problem: string } | { problem: null; warning: string; needsChange: boolean };

/** A loop without checks: it may be refused, and its claim needs a change unless that is switched off. */
export function startUnchecked({ requireChecks, requireProgress }: CompletionRules): UncheckedStart {
  if (requireChecks) return { problem: "No check is configured, and completion.requireChecks is true." };
  return { problem: null, warning: noCheckWarning(), needsChange: requireProgress !== false };
}

/**
 * Verdicts for a loop that has a gate, but no check any more: an earlier version also counted criteria that the claim alone
 * meets, one for each role at most. A loop that is bound to checks has lost them, and its claim is refused.
 */
export function believedVerdicts(bound: string): Verdict[] {
  return bound === ""
    ? roles.map(() => believedVerdict)
    : [redVerdict("the checks that this loop began with are gone")];
}

/**
 * Whether the tree has changed since a loop began. Null where nobody knew how it was then. False also when git could read it
 * and cannot any more, and when what was remembered of it is gone. `look` asks git, so it is called only when needed.
 */
export function hasChangedSince(
  start: { isKept: boolean; mark: string | null },
  look: () => string | null,
): boolean | null {
  if (!start.isKept) return false;
  if (start.mark === null) return null;
  const now = look();
  return now !== null && start.mark !== now;
}
