import { expect, it } from "vitest";
import { parseSettings } from "../../core/settings/parse-settings.ts";
import type { Role } from "../../core/tasks/criteria/role.ts";
import type { WorkPlan } from "../../core/tasks/work-plan.ts";
import { allAgents } from "../../shell/wire-agents.ts";
import { costWarnings } from "./load-run-settings.ts";

const work = { agents: { tester: { command: "helper" } } };
const settings = parseSettings([{ source: "test", value: { agent: { command: "sim" }, budget: { tokens: 9 }, work } }]);

it("refuses a budget that one role of a work run would not keep (CB-02)", () => {
  const program = { agents: allAgents([]) };
  const plan = (...roles: Role[]): WorkPlan => ({ tasks: [], roles, rounds: 1, jobs: 1, worktrees: null });
  const refusal = "The agent (helper) tells neither tokens nor cost";
  expect(() => costWarnings(program, { settings, work: plan("coder", "tester") })).toThrow(refusal);
  expect(costWarnings(program, { settings, work: plan("coder") })).toEqual([]);
  expect(costWarnings(program, { settings })).toEqual([]);
});
