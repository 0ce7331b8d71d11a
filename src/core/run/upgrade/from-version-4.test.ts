import { expect, it } from "vitest";
import { fromVersion4 } from "./from-version-4.ts";

it("the breaker that version 4 left to the kind of run is left to it still, and a number stays", () => {
  const lifted = (noProgress: unknown): unknown => {
    const frozen = { settings: { breaker: { failures: 5, noProgress } } };
    const run = fromVersion4.run({ state: { version: 4 }, frozen }, { from: 4, sha256: () => "" });
    return typeof run === "string" ? run : [run.state["version"], run.frozen?.["settings"]];
  };
  expect(lifted(null)).toEqual([5, { breaker: { failures: 5 } }]);
  expect(lifted(7)).toEqual([5, { breaker: { failures: 5, noProgress: 7 } }]);
});

it("states inside of journal entries become those of version 5", () => {
  const state = { version: 4, iteration: 2 };
  const entry = (body: Record<string, unknown>) => fromVersion4.entry(body);
  expect(entry({ upgraded: { from: 3, to: 4, state } })).toMatchObject({ upgraded: { state: { version: 5 } } });
  const taken = { observation: { type: "work-resumed", takenOver: state }, effects: [] };
  expect(entry(taken)).toMatchObject({ observation: { takenOver: { version: 5, iteration: 2 } } });
  expect(entry({ observation: { type: "turn-started" } })).toEqual({ observation: { type: "turn-started" } });
});
