import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/core/engine/decide.ts";
import { type Invariant, invariants } from "./invariants.ts";
import { anyMove, anyPolicy, type Decide, walk } from "./walk.ts";
import { propertySeed } from "../property-seed.ts";

const anyWalk = fc.record({ policy: anyPolicy, moves: fc.array(anyMove, { maxLength: 40 }) });

/** Another seed explores other walks; the same one makes a failure come back. */
const seed = propertySeed;

/** Runs many random walks; fast-check prints the seed and the smallest failing walk. */
function search(decideHere: Decide, invariant: Invariant, runs: number): { failed: boolean; message: string } {
  const details = fc.check(
    fc.property(anyWalk, ({ policy, moves }) => {
      const { steps, isEnded } = walk(decideHere, policy, moves);
      const problem = invariant(steps, isEnded, decideHere);
      if (problem !== null) throw new Error(problem);
    }),
    { numRuns: runs, seed },
  );
  return { failed: details.failed, message: fc.defaultReportMessage(details) ?? "" };
}

const walksOfDecide = lazily(() =>
  fc.sample(anyWalk, { numRuns: 600, seed }).map(({ policy, moves }) => walk(decide, policy, moves)),
);

/** Every invariant judges the same walks of the real engine; only for a broken one the smallest walk is searched. */
function judgeDecide(invariant: Invariant): { failed: boolean; message: string } {
  const problem = walksOfDecide()
    .map(({ steps, isEnded }) => invariant(steps, isEnded, decide))
    .find((found) => found !== null);
  if (problem === undefined) return { failed: false, message: "" };
  const smallest = search(decide, invariant, 600);
  return smallest.failed ? smallest : { failed: true, message: problem };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

const named = Object.entries(invariants).map(([name, { invariant, faulty }]) => ({ name, invariant, faulty }));

describe("the engine keeps every invariant, and each invariant can fail", () => {
  for (const { name, invariant, faulty } of named) {
    it(`${name}, over random walks`, () => {
      expect(judgeDecide(invariant)).toEqual({ failed: false, message: "" });
    });

    it(`a planted fault against "${name}" is caught`, () => {
      // A fault that makes decide itself throw is caught as well: an assertion is a way of noticing.
      expect(search(faulty, invariant, 600).failed).toBe(true);
    });
  }
});
