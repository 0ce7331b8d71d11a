import { expect, it } from "vitest";
import { raiseVersion } from "./raise-version.ts";

const step = raiseVersion(6);

it("lifts the number of a run, and leaves everything it is held to as it is", () => {
  const frozen = { settings: { guardrails: ["x"] } };
  const run = step.run({ state: { version: 5, iteration: 3 }, frozen }, { from: 5, sha256: () => "" });
  expect(run).toEqual({ state: { version: 6, iteration: 3 }, frozen });
});

it("lifts the states that entries hold", () => {
  const state = { version: 5 };
  expect(step.entry({ upgraded: { from: 4, to: 5, state } })).toMatchObject({
    upgraded: { state: { version: 6 } },
  });
  const taken = { observation: { type: "work-resumed", takenOver: { version: 5, iteration: 2 } } };
  expect(step.entry(taken)).toMatchObject({ observation: { takenOver: { version: 6, iteration: 2 } } });
  expect(step.entry({ kind: "note" })).toEqual({ kind: "note" });
});
