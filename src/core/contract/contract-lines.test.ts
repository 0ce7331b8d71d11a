import { expect, it } from "vitest";
import { policyOf, type Shape } from "../../../tests/engine/play.ts";
import { contractLines, hasChecks, noCheckWarning, workContractLines } from "./contract-lines.ts";

function lines(shape: Shape): string[] {
  return contractLines(policyOf(shape));
}

it("names the claim, each check, when it runs and where it comes from", () =>
  expect(lines({ guardrails: 1, criteria: 1, hasBaseline: true, requireProgress: true })).toEqual([
    "Done means:",
    "  the agent claims it: <promise>DONE</promise> or <response>DONE</response>",
    "  something has changed since the run began (completion.requireProgress)",
    "  guardrail-1: after every turn, from test",
    "  criterion-1: on a claim, from test",
  ]));

it("names what each task of a work run needs, and the checks of what it leaves", () =>
  expect(workContractLines(policyOf({ guardrails: 1, criteria: 1 }).gates)).toEqual([
    "Done means:",
    "  for each task, every role claims and its own criterion holds (ralph show TASK)",
    "  guardrail-1: after every turn, and on what the task leaves, from test",
    "  criterion-1: on what the task leaves, from test",
  ]));

it("names the claim of each kind of run", () => {
  expect(lines({ hasTasks: true }).slice(1)).toEqual([
    "  every task of the list is approved",
    "  task-list: after every turn, however it ends, from test",
  ]);
  expect(lines({ claimBy: "done-file", hasChildren: true }).slice(1)).toEqual([
    "  the agent makes the file DONE",
    "  children: on a claim, after delivery, from test",
    "  no check is configured: completed will be unverified",
  ]);
});

it("tells checks that are not required from none at all", () => {
  const gates = policyOf({ criteria: 1 }).gates.map((gate) => ({ ...gate, isClaimOnly: true as const }));
  expect(contractLines({ ...policyOf({}), gates }).at(-1)).toBe(
    "  no check is required: the claim alone can complete, unverified",
  );
  expect(noCheckWarning(gates)).toMatch(/^No check is required \(the claim alone meets: criterion-1\)/);
  expect(noCheckWarning([])).toMatch(/^No check is configured: /);
});

it("counts checks and reviews, but neither children nor a look before the first turn", () => {
  expect(hasChecks(policyOf({ guardrails: 1 }).gates)).toBe(true);
  expect(hasChecks(policyOf({ hasTasks: true }).gates)).toBe(true);
  expect(hasChecks(policyOf({ hasChildren: true }).gates)).toBe(false);
  expect(hasChecks([])).toBe(false);
});
