import { describe, expect, it } from "vitest";
import type { Outcome, OutcomeName } from "../run/outcome.ts";
import { type TaskEnd, workOutcome } from "./work-outcome.ts";

function end(name: OutcomeName | null): TaskEnd {
  const outcome = name === null ? null : { name, reason: "why" };
  return { id: name ?? "none", status: name === "completed" ? "done" : "ready", outcome, reason: "why" };
}

describe("the outcome of a work run", () => {
  const check = (ends: (OutcomeName | null)[], expected: Outcome, asked: Outcome | null = null): void =>
    expect(workOutcome(ends.map(end), asked)).toEqual(expected);

  it("is completed when every task is done", () =>
    check(["completed", "completed"], { name: "completed", reason: "2 of 2 tasks done." }));

  it("is completed but unverified when one task rests on the agents' word alone (honest words)", () => {
    const believed = { ...end("completed"), outcome: { name: "completed", reason: "why", isVerified: false } as const };
    expect(workOutcome([end("completed"), believed], null)).toMatchObject({ name: "completed", isVerified: false });
    expect(workOutcome([end("failed"), believed], null).isVerified).toBeUndefined();
  });

  it("is the first of cancelled, interrupted, failed, stopped, waiting, exhausted that any task has (CW-2C)", () => {
    const order: OutcomeName[] = ["exhausted", "waiting", "stopped", "failed", "interrupted", "cancelled"];
    order.forEach((name, index) =>
      check(["completed", ...order.slice(0, index + 1), null], {
        name,
        reason: `1 of ${index + 3} tasks done. ${name}: why`,
      }),
    );
  });

  it("is what was asked of the work itself, when nothing graver happened", () => {
    const asked: Outcome = { name: "stopped", reason: "Spent $2.00 of the budget of $1.00." };
    check([null], { name: "stopped", reason: "Spent $2.00 of the budget of $1.00. 0 of 1 task done." }, asked);
  });
});
