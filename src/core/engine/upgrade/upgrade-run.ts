import { hasShape, shapeProblem } from "../../shape/shape.ts";
import type { Policy } from "../policy.ts";
import { type RunState, runStateVersion } from "../state.ts";
import { fromVersion1 } from "./from-version-1.ts";
import { policyShape, runStateShape } from "./run-state-shape.ts";
import { type Fields, fieldsOf, type StoredRun, type UpgradeStep } from "./upgrade-step.ts";

/** One step per version: the first lifts version 1 to 2, and so on. A new version adds one at the end. */
export const upgradeSteps: readonly UpgradeStep[] = [fromVersion1];

/** A run that this version can go on with, and the version that stored it. */
export type UpgradedRun = { state: RunState; frozen: Fields | null; from: number };

/** Why a stored run cannot be used. `version` is the one found, or null when it names none. */
export type RunRefusal = { version: number | null; problem: string };

/**
 * Lifts a stored run to the present version and checks every field of it. A run that a newer version stored, or that
 * lacks anything afterwards, is refused: read with a field less, it might be read with a gate less.
 */
export function upgradeRun(stored: { state: unknown; frozen: unknown }): UpgradedRun | RunRefusal {
  const state = fieldsOf(stored.state);
  const version = state?.["version"];
  if (state === null || typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return { version: null, problem: "its state names no version" };
  if (version > runStateVersion) return { version, problem: `this ralph knows versions up to ${runStateVersion}` };
  const lifted = lift({ state, frozen: fieldsOf(stored.frozen) }, version);
  if (typeof lifted === "string") return { version, problem: lifted };
  if (!hasShape(runStateShape, lifted.state))
    return { version, problem: shapeProblem(runStateShape, lifted.state) ?? "its state is incomplete" };
  const problem = lifted.frozen === null ? null : frozenProblem(lifted.frozen, lifted.state.policy);
  return problem === null ? { state: lifted.state, frozen: lifted.frozen, from: version } : { version, problem };
}

/** Lifts the body of a journal entry; null: a newer version wrote it. */
export function upgradeEntry(body: Fields, version: number): Fields | null {
  if (version > runStateVersion) return null;
  return upgradeSteps.slice(version - 1).reduce((current, step) => step.entry(current), body);
}

/** Whether a run was refused. */
export function isRefusal(result: UpgradedRun | RunRefusal): result is RunRefusal {
  return "problem" in result;
}

function lift(stored: StoredRun, version: number): StoredRun | string {
  return upgradeSteps
    .slice(version - 1)
    .reduce<StoredRun | string>((current, step) => (typeof current === "string" ? current : step.run(current)), stored);
}

/** The frozen run must name the same gates as the state; its commands are what the gates run. */
function frozenProblem(frozen: Fields, policy: Policy): string | null {
  const { policy: atStart, settings, projectDir, prompt } = frozen;
  if (!hasShape(policyShape, atStart)) return `the frozen run: ${policyShape.problem(atStart, "policy") ?? ""}`;
  const changedGate = gateFields.find((field) => atStart[field] !== policy[field]);
  if (changedGate !== undefined) return `${changedGate} differs between the frozen run and its state`;
  if (!Array.isArray(fieldsOf(settings)?.["guardrails"])) return "the frozen run names no guardrails";
  if (typeof projectDir !== "string") return "the frozen run names no project directory";
  return fieldsOf(prompt) === null ? "the frozen run has no prompt" : null;
}

/** What decides which gates a run has. `ralph resume` may change limits, never these. */
const gateFields = ["kind", "guardrailCount", "criterionCount", "hasTasks", "hasChildren", "hasMarkers"] as const;
