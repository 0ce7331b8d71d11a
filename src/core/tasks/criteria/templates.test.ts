import { describe, expect, it } from "vitest";
import type { Verification } from "./completion-spec.ts";
import { readCriterion, writeCriterion } from "./read-completion-spec.ts";
import { roles } from "./role.ts";
import { taskTemplates } from "./templates.ts";

describe("templates", () => {
  it("have names of their own", () => {
    expect(new Set(taskTemplates.map(({ name }) => name)).size).toBe(taskTemplates.length);
  });

  it.each(taskTemplates.map((template) => [template.name, template] as const))(
    "%s has a criterion for every role that can be written, read and satisfied (S2-50, CW-2F)",
    (_name, { criteria }) => {
      for (const role of roles) {
        const criterion = criteria[role];
        if (criterion === undefined) throw new Error(`${role} has none`);
        expect(readCriterion(writeCriterion(criterion))).toEqual({ criterion });
        expect(canSucceed(criterion.verification)).toBe(true);
      }
    },
  );
});

function canSucceed(verification: Verification): boolean {
  if (verification.method === "external") return verification.command.trim() !== "" && verification.timeoutMs > 0;
  if (verification.method === "semantic") return verification.checkFor.includes("{{acceptance_criteria}}");
  if (verification.method !== "multi_stage" || verification.stages.length === 0) return false;
  return verification.stages.every((stage) => canSucceed(stage.verification));
}
