import { childrenGates } from "../../contract/children.ts";
import type { ContractGate, ContractSources } from "../../contract/contract.ts";
import { criterionGates } from "../../contract/criterion.ts";
import { guardrailGates } from "../../contract/guardrail.ts";
import { sessionGates } from "../../contract/session-checks.ts";
import { taskListGates } from "../../contract/task-list.ts";
import { hasShape, list, objectOf, text } from "../../shape/shape.ts";
import { roleCriterionShape } from "./criterion-shapes.ts";
import { type Fields, fieldsOf } from "./upgrade-step.ts";
import type { Policy2 } from "./version-2.ts";

/**
 * The gates that a run of version 2 had: as many as its policy counts, with the commands and the criterion it was started
 * with. A text says why they cannot be told: then the run is refused, for nothing else would keep its number of gates.
 */
export function gatesOfVersion2(policy: Policy2, frozen: Fields | null, origin: string): ContractGate[] | string {
  const { kind } = policy;
  if (policy.hasTasks !== (kind === "prd")) return `policy.hasTasks does not fit a run of kind ${kind}`;
  if (policy.hasChildren !== (kind === "supervise")) return `policy.hasChildren does not fit a run of kind ${kind}`;
  if (policy.hasMarkers !== (kind === "supervise")) return `policy.hasMarkers does not fit a run of kind ${kind}`;
  const found = frozen === null ? sessionGatesOf(policy) : frozenGates(policy, frozen);
  return typeof found === "string" ? found : found.map((gate) => ({ ...gate, origin }));
}

/** The commands of the guardrails, in their order; null: the frozen run names none. */
export function commandsOf(frozen: Fields | null): string[] | null {
  const guardrails = fieldsOf(frozen?.["settings"])?.["guardrails"];
  return hasShape(guardrailsShape, guardrails) ? guardrails.map(({ command }) => command) : null;
}

const guardrailsShape = list(objectOf<{ command: string }>({ command: text }));

/** A loop in a session has no frozen run; its only gate stands for all of the project's checks. */
function sessionGatesOf(policy: Policy2): ContractGate[] | string {
  if (policy.kind !== "session") return "what it was started with is not readable";
  if (policy.guardrailCount > 0 || policy.hasBaseline) return "the commands of its guardrails are not stored";
  const limits = { wallMs: policy.criterionWallMs };
  return sessionGates(policy.criterionCount).map((gate) => ({ ...gate, limits, spec: null }));
}

function frozenGates(policy: Policy2, frozen: Fields): ContractGate[] | string {
  const commands = commandsOf(frozen);
  if (commands === null) return "the frozen run names no guardrails";
  // A supervised task has none, whatever the settings say.
  const isCounted =
    policy.kind === "supervise" ? policy.guardrailCount === 0 : policy.guardrailCount === commands.length;
  if (!isCounted) return `policy.guardrailCount is ${policy.guardrailCount}, the frozen run names ${commands.length}`;
  const { criterion } = frozen;
  const wrong = criterion === undefined ? null : roleCriterionShape.problem(criterion, "criterion");
  if (wrong !== null) return `the frozen run: ${wrong}`;
  const role = hasShape(roleCriterionShape, criterion) ? criterion : null;
  const criteria = role === null ? 0 : 1;
  if (policy.criterionCount !== criteria)
    return `policy.criterionCount is ${policy.criterionCount}, the frozen run names ${criteria}`;
  const sources: ContractSources = {
    surface: policy.kind,
    settings: {
      guardrails: commands.slice(0, policy.guardrailCount).map((command) => ({ command })),
      guardrailTimeout: policy.guardrailWallMs,
      children: { wait: policy.childrenWallMs },
    },
    settingsFiles: {},
    verifyCommandsFrom: null,
    role,
    projectCriteria: [],
    hasBaseline: policy.hasBaseline,
  };
  const ofRole = criterionGates(sources).map((gate) =>
    gate.when === "on-claim" ? { ...gate, limits: { wallMs: policy.criterionWallMs } } : gate,
  );
  return [...guardrailGates(sources), ...taskListGates(sources), ...ofRole, ...childrenGates(sources)];
}
