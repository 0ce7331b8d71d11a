import { truncateText } from "../text/truncate.ts";
import { criterionName } from "../tasks/criteria/criterion-name.ts";
import { externalPart } from "../tasks/criteria/external-part.ts";
import type { Verification } from "../tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import type { ContractGate, ContractSources } from "./contract.ts";
import { criteriaPath } from "./criteria-path.ts";
import { isMetByClaim } from "./is-met-by-claim.ts";

/** The kind of gates that verify a claim by a criterion. */
export const criterionKind = "criterion";

/** What a criterion's gate verifies. */
export type CriterionSpec = {
  criterion: RoleCriterion;
  verification: Verification;
  /** The surface's own claim replaces the criterion's promise: no second tag is needed. */
  isClaimEnough: boolean;
};

/** How many names fit in one line. */
const nameCharsMax = 200;

/**
 * The role's own criterion and those of the project, verified on each claim; their commands alone also before the first
 * turn. A role takes the project's criterion of its own name; everywhere else all of them count.
 */
export function criterionGates({ role, projectCriteria, hasBaseline }: ContractSources): ContractGate[] {
  const own = role === null ? [] : [{ criterion: role, id: criterionKind, origin: `criterion of ${role.role}` }];
  const project = projectCriteria
    .filter((criterion) => role === null || criterion.role === role.role)
    .map((criterion) => ({
      criterion,
      id: `project-${criterion.role}`,
      origin: `${criteriaPath} ${criterion.role}`,
      isClaimEnough: true,
    }));
  const places = [...own, ...project];
  const gates = places.map((place) => gateOf(place.criterion.criterion.verification, place));
  if (!hasBaseline) return gates;
  const looks = places.flatMap((place) => {
    const part = externalPart(place.criterion.criterion.verification);
    return part === null ? [] : [{ ...gateOf(part, place), id: `baseline-${place.id}`, when: beforeFirstTurn }];
  });
  return [...looks, ...gates];
}

const beforeFirstTurn = "before-first-turn" as const;

type Place = { criterion: RoleCriterion; id: string; origin: string; isClaimEnough?: boolean };

function gateOf(verification: Verification, { criterion, id, origin, isClaimEnough = false }: Place): ContractGate {
  const whole = truncateText(criterionName(criterion.criterion), nameCharsMax, "head");
  const isPart = JSON.stringify(verification) !== JSON.stringify(criterion.criterion.verification);
  const spec: CriterionSpec = { criterion, verification, isClaimEnough };
  return {
    id,
    kind: criterionKind,
    // Green commands do not show what a judge would say.
    name: isPart ? `${whole} (commands only)` : whole,
    when: "on-claim",
    isBeforeDelivery: true,
    isAlways: false,
    origin,
    // Every method has its own limit; the run's budget limits them together.
    limits: { wallMs: null },
    tells: "reason",
    ...(isClaimEnough && isMetByClaim(verification) ? { isClaimOnly: true } : {}),
    spec,
  };
}
