import { expect, it } from "vitest";
import { checks, done, type Move, policyOf, turn } from "../../../tests/engine/play.ts";
import { decide } from "../engine/decide.ts";
import type { Observation } from "../run/observation.ts";
import { newRun } from "../run/state.ts";
import { emptyView, foldEntry } from "./run-view.ts";
import { verificationResults } from "./verification-results.ts";

it("records every iteration, with a promise or without, and never reads success from a reason (S2-14, CW-2O, R-66)", () => {
  const policy = policyOf({ criteria: 1 });
  let state = newRun(policy);
  let view = emptyView;
  const start: Move = { news: () => [{ type: "run-started" }], passMs: 0 };
  for (const { news } of [start, turn(), done, checks(1), done, checks(0)]) {
    for (const each of news(state.pending?.id ?? 0)) {
      const observation: Observation = { ...each, at: 60_000, upMs: 0 };
      const [next, effects] = decide(state, observation);
      state = next;
      view = foldEntry(view, { kind: "step", at: 60_000, observation, effects });
    }
  }
  const timestamp = "1970-01-01T00:01:00.000Z";
  expect(verificationResults(view, policy)).toEqual([
    { iteration: 1, promise_found: false, verified: false, reason: "No completion promise found", timestamp },
    { iteration: 2, promise_found: true, verified: false, reason: expect.any(String), timestamp },
    { iteration: 3, promise_found: true, verified: true, reason: expect.any(String), timestamp },
  ]);
  const believed = view.iterations.map((each) => ({
    ...each,
    criteria: each.criteria.map((verdict) => ({ ...verdict, isUnverified: true as const })),
  }));
  expect(verificationResults({ ...view, iterations: believed }, policy)[2]).toMatchObject({ by_claim_alone: true });
});
