import { truncateText } from "../prompts/truncate.ts";
import { externalPart } from "../tasks/external-part.ts";
import type { Verification } from "../tasks/completion-spec.ts";
import type { RoleCriterion } from "../tasks/role-criterion.ts";
import type { ContractGate, ContractSources } from "./contract.ts";

/** The kind of gates that verify a claim by a criterion. */
export const criterionKind = "criterion";

/** What a criterion's gate verifies. */
export type CriterionSpec = { criterion: RoleCriterion; verification: Verification };

/** Names people read in one line. */
const nameCharsMax = 200;

/** The role's own criterion, verified on each claim; its commands alone also before the first turn. */
export function criterionGates({ role, hasBaseline }: ContractSources): ContractGate[] {
  if (role === null) return [];
  const { verification } = role.criterion;
  const own = gateOf(role, verification, { id: "criterion", origin: `criterion of ${role.role}` });
  const part = hasBaseline ? externalPart(verification) : null;
  if (part === null) return [own];
  const baseline = gateOf(role, part, { id: "baseline-criterion", origin: own.origin });
  return [{ ...baseline, when: "before-first-turn" }, own];
}

function gateOf(
  criterion: RoleCriterion,
  verification: Verification,
  { id, origin }: { id: string; origin: string },
): ContractGate {
  const { description, promise } = criterion.criterion;
  const whole = truncateText(description === "" ? promise : description, nameCharsMax, "head");
  const isPart = JSON.stringify(verification) !== JSON.stringify(criterion.criterion.verification);
  const spec: CriterionSpec = { criterion, verification };
  return {
    id,
    kind: criterionKind,
    // A part that was green says nothing of a judge who was not asked.
    name: isPart ? `${whole} (commands only)` : whole,
    when: "on-claim",
    isBeforeDelivery: true,
    isAlways: false,
    origin,
    // Every method keeps its own time; together they are bounded by the run's budget.
    limits: { wallMs: null },
    tells: "reason",
    spec,
  };
}
