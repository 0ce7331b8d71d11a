import { expect, it } from "vitest";
import { externalPart } from "./external-part.ts";
import { readCriterion } from "./read-completion-spec.ts";

it("leaves only commands for the look before the first turn (S2-35)", () => {
  const part = (method: string, config: unknown): unknown => {
    const read = readCriterion({ promise: "X", verification_method: method, verification_config: config });
    return "problems" in read ? read.problems : externalPart(read.criterion.verification);
  };
  const command = { name: "a", method: "external", config: { command: "make" } };
  expect(part("external", { command: "make" })).toMatchObject({ command: "make" });
  expect(part("semantic", {})).toBeNull();
  expect(part("multi_stage", { stages: [{ name: "b", method: "semantic" }] })).toBeNull();
  expect(part("multi_stage", { stages: [{ name: "b", method: "semantic" }, command] })).toMatchObject({
    stages: [{ name: "a", verification: { command: "make" } }],
  });
});
