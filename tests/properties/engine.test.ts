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

const named = Object.entries(invariants).map(([name, { invariant, faulty }]) => ({ name, invariant, faulty }));

describe("the engine keeps every invariant of design §4, and each invariant can fail", () => {
  for (const { name, invariant, faulty } of named) {
    it(`${name}, over random walks`, () => {
      const details = search(decide, invariant, 600);
      expect(details).toEqual({ failed: false, message: "" });
    });

    it(`a planted fault against "${name}" is caught`, () => {
      // A fault that makes decide itself throw is caught as well: an assertion is a way of noticing.
      expect(search(faulty, invariant, 600).failed).toBe(true);
    });
  }
});
