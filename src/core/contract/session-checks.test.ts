import { expect, it } from "vitest";
import { countOfSlot, sessionBegin, sessionGates } from "./session-checks.ts";

it("a loop in a session without checks has no gate, one with checks has one on a claim", () => {
  expect(sessionGates(0)).toEqual([]);
  expect(sessionGates(3)).toMatchObject([{ when: "on-claim", isBeforeDelivery: true, tells: "reason" }]);
});

it("freezes how many verdicts the gate must give, one at least", () => {
  const slot = (count: number): unknown => Object.values(sessionBegin(count).slots)[0];
  expect(countOfSlot(slot(3))).toBe(3);
  expect([null, {}, { count: 0 }, { count: "2" }].map(countOfSlot)).toEqual([1, 1, 1, 1]);
});
