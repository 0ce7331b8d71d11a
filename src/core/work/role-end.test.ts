import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { noSpend } from "../agents/spend.ts";
import { emptyReport, type TurnReport } from "../agents/turn-report.ts";
import { noClaims } from "../claims/claim-report.ts";
import type { OutcomeName } from "../run/outcome.ts";
import { newRun, noFacts, type RunState } from "../run/state.ts";
import { endUnstored, isRoleOver, roleEndOf, roleUseOf } from "./role-end.ts";

const ended = (name: OutcomeName, canReject: boolean): RunState => ({
  ...newRun({ ...plain, canReject }),
  outcome: { name, reason: "so" },
  facts: { ...noFacts, report: { ...emptyReport, claims: { ...noClaims, rejected: "no tests" } } },
});

describe("the end of a role run", () => {
  it.each([
    ["waiting", true, "no tests"],
    ["waiting", false, null],
    ["completed", true, null],
  ] as const)("of %s, where it may reject: %s, has the rejection %s", (name, canReject, rejected) =>
    expect(roleEndOf(ended(name, canReject), {})).toEqual({ outcome: { name, reason: "so" }, rejected, checks: [] }),
  );

  it("says when only a new run helps: flags and model are frozen (S2-54)", () => {
    const failed = ended("failed", false);
    const tools = { calls: 1, errors: 1, denied: 1, deniedChanges: 1, changes: 0 };
    const after = (report: Partial<TurnReport>): unknown =>
      roleEndOf({ ...failed, iteration: 1, facts: { ...noFacts, report: { ...emptyReport, ...report } } }, {})
        .needsNewRun;
    const failure = (kind: "model" | "other") => ({ failure: { kind, message: "no", resetAt: null } });
    expect([after({ tools }), after(failure("model")), after(failure("other")), after({})]).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
  });

  it("counts the turn in flight as used", () => {
    const spend = { ...noSpend, usd: 1 };
    const state = { ...newRun(plain), iteration: 2, usedMs: 5, spend, liveSpend: spend };
    expect(roleUseOf(state, "one")).toMatchObject({ taskId: "one", iteration: 2, usedMs: 5, spend: { usd: 2 } });
  });

  it.each([
    ["completed", null, null, true],
    ["cancelled", null, null, true],
    ["exhausted", null, null, true],
    ["exhausted", null, 2, false],
    ["waiting", null, null, false],
    ["waiting", "no", null, true],
    ["interrupted", null, null, false],
  ] as const)("%s, rejected: %s, more: %s, leaves nothing to do: %s", (name, rejected, more, isOver) =>
    expect(isRoleOver({ outcome: { name, reason: "" }, rejected }, { answer: null, more })).toBe(isOver),
  );
});

it("role runs whose work run cannot be stored fail and say so", () =>
  expect(endUnstored("disk full")).toEqual({
    name: "failed",
    reason: "The work run cannot be stored any more: disk full",
  }));
