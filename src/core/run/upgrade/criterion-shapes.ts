import type { CriterionSpec } from "../../contract/criterion.ts";
import {
  count,
  flag,
  list,
  mapOf,
  nullable,
  number,
  objectOf,
  oneOf,
  type Shape,
  tagged,
  text,
} from "../../shape/shape.ts";
import type { Criterion, NegativePattern, Stage, Verification } from "../../tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../../tasks/criteria/role-criterion.ts";
import { roles } from "../../tasks/criteria/role.ts";

type Method<Name extends Verification["method"]> = Extract<Verification, { method: Name }>;

const anything: Shape<unknown> = { problem: () => null };

/** Stages hold verifications themselves: looked up when needed. */
const stageShape: Shape<Stage> = {
  problem: (value, path) =>
    objectOf<Stage>({ name: text, isRequired: flag, isAlways: flag, verification: verificationShape }).problem(
      value,
      path,
    ),
};

const verificationShape: Shape<Verification> = tagged<"method", Verification>("method", {
  string_match: objectOf<Method<"string_match">>({
    method: oneOf("string_match"),
    promise: nullable(text),
    isLoose: flag,
  }),
  semantic: objectOf<Method<"semantic">>({
    method: oneOf("semantic"),
    checkFor: list(text),
    negativePatterns: list(
      objectOf<NegativePattern>({ pattern: text, isRegex: flag, scope: oneOf("output", "diff", "files") }),
    ),
    model: nullable(text),
  }),
  external: objectOf<Method<"external">>({
    method: oneOf("external"),
    command: text,
    successExitCode: number,
    outputContains: nullable(text),
    outputNotContains: nullable(text),
    timeoutMs: number,
    workingDir: text,
  }),
  multi_stage: objectOf<Method<"multi_stage">>({
    method: oneOf("multi_stage"),
    stages: list(stageShape),
    requireAll: flag,
    parallelMax: number,
  }),
  custom: objectOf<Method<"custom">>({
    method: oneOf("custom"),
    module: nullable(text),
    command: nullable(list(text)),
    config: mapOf(anything),
    timeoutMs: number,
  }),
});

/** What the claim of a role's run is verified against, as it is frozen with the run. */
export const roleCriterionShape: Shape<RoleCriterion> = objectOf<RoleCriterion>({
  role: oneOf(...roles),
  criterion: objectOf<Criterion>({
    promise: text,
    description: text,
    maxIterations: nullable(count),
    verification: verificationShape,
  }),
  outcome: text,
  acceptanceCriteria: list(text),
});

/** The same as its gate keeps it. */
export const criterionSpecShape: Shape<CriterionSpec> = objectOf<CriterionSpec>({
  criterion: roleCriterionShape,
  verification: verificationShape,
  isClaimEnough: flag,
});
