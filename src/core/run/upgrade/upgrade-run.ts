import { hasShape, shapeProblem } from "../../shape/shape.ts";
import { type RunState, runStateVersion } from "../state.ts";
import { fromVersion1 } from "./from-version-1.ts";
import { fromVersion2 } from "./from-version-2.ts";
import { fromVersion3 } from "./from-version-3.ts";
import { fromVersion4 } from "./from-version-4.ts";
import { fromVersion5 } from "./from-version-5.ts";
import { fromVersion6 } from "./from-version-6.ts";
import { frozenProblem, gatesProblem } from "./gates-problem.ts";
import { runStateShape } from "./run-state-shape.ts";
import { type Fields, fieldsOf, type StoredRun, type UpgradeContext, type UpgradeStep } from "./upgrade-step.ts";

/** One step per version: the first lifts version 1 to 2, and so on. A new version adds one at the end. */
export const upgradeSteps: readonly UpgradeStep[] = [
  fromVersion1,
  fromVersion2,
  fromVersion3,
  fromVersion4,
  fromVersion5,
  fromVersion6,
];

/** A run that this version can continue, and the version that stored it. */
export type UpgradedRun = { state: RunState; frozen: Fields | null; from: number };

/** Why a stored run cannot be used. `version` is the one found, or null when it names none. */
export type RunRefusal = { version: number | null; problem: string };

/**
 * Lifts a stored run to the present version and checks every field of it. A run that a newer version stored, or that
 * lacks anything afterwards, is refused: read with a field less, it might be read with a gate less.
 */
export function upgradeRun(
  stored: { state: unknown; frozen: unknown },
  sha256: UpgradeContext["sha256"],
): UpgradedRun | RunRefusal {
  const state = fieldsOf(stored.state);
  const version = state?.["version"];
  if (state === null || typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return { version: null, problem: "its state names no version" };
  if (version > runStateVersion) return { version, problem: `this ralph knows versions up to ${runStateVersion}` };
  const lifted = lift({ state, frozen: fieldsOf(stored.frozen) }, { from: version, sha256 });
  if (typeof lifted === "string") return { version, problem: lifted };
  if (!hasShape(runStateShape, lifted.state))
    return { version, problem: shapeProblem(runStateShape, lifted.state) ?? "its state is incomplete" };
  const problem =
    gatesProblem(lifted.state) ?? (lifted.frozen === null ? null : frozenProblem(lifted.frozen, lifted.state.policy));
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

function lift(stored: StoredRun, context: UpgradeContext): StoredRun | string {
  return upgradeSteps
    .slice(context.from - 1)
    .reduce<StoredRun | string>(
      (current, step) => (typeof current === "string" ? current : step.run(current, context)),
      stored,
    );
}
