import { describe, expect, it } from "vitest";
import { otherFieldProblem } from "./other-fields.ts";

const known = ["id", "spec", "spec_id", "title", "priority", "dependencies", "completion", "completion_spec"];

describe("a field of a task that nobody reads", () => {
  const check = (key: string, expected: string | null) => expect(otherFieldProblem(key, known)).toBe(expected);

  it.each<[key: string, expected: string]>([
    ["completon", 'unknown key "completon"; did you mean "completion"?'],
    ["completion_sepc", 'unknown key "completion_sepc"; did you mean "completion_spec"?'],
    ["completionSpec", 'unknown key "completionSpec"; did you mean "completion_spec"?'],
    ["dependsOn", 'unknown key "dependsOn"; did you mean "dependencies"?'],
    ["depends-on", 'unknown key "depends-on"; did you mean "dependencies"?'],
    ["prio", 'unknown key "prio"; did you mean "priority"?'],
    ["coder", '"coder" belongs in completion: completion.coder'],
    ["maxIterations", '"maxIterations" belongs in completion.<role>: completion.<role>.max_iterations'],
  ])("is refused when it would decide something, were it understood: %s (S2-50)", (key, expected) =>
    check(key, expected),
  );

  it.each([
    "verifyCommands",
    "guardrails",
    "checks",
    "tests",
    "validation",
    "role_criteria",
    "Verification_Commands",
    "done_when",
  ])("is refused when it reads as a check, which it would not be: %s (S2-50)", (key) =>
    expect(otherFieldProblem(key, known)).toContain(`"${key}" reads as a check`),
  );

  it.each(["status", "created_at", "kind", "type", "tags", "owner", "estimate", "component", "due", "name", "x-notes"])(
    "is kept when it means nothing here: %s (S2-51)",
    (key) => check(key, null),
  );
});
