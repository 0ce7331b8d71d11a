import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideWork } from "../../src/core/work/decide-work.ts";
import { propertySeed } from "../property-seed.ts";
import { workChecks, type WorkInvariant, workPlants } from "./work-invariants.ts";
import { anyPlan, anyWorkMove, type DecideWork, walkWork } from "./work-walk.ts";

const anyWalk = fc.record({ plan: anyPlan, moves: fc.array(anyWorkMove, { maxLength: 60, size: "max" }) });

/** Runs many random walks; fast-check prints the seed and the smallest failing walk. */
function search(decide: DecideWork, invariant: WorkInvariant, runs: number): { failed: boolean; message: string } {
  const details = fc.check(
    fc.property(anyWalk, ({ plan, moves }) => {
      const { steps, isEnded } = walkWork(decide, plan, moves);
      const problem = invariant(steps, isEnded, decide);
      if (problem !== null) throw new Error(problem);
    }),
    { numRuns: runs, seed: propertySeed },
  );
  return { failed: details.failed, message: fc.defaultReportMessage(details) ?? "" };
}

const plants = new Map<string, DecideWork>(Object.entries(workPlants));

describe("the engine of work runs keeps every invariant, and each invariant can fail", () => {
  for (const [name, invariant] of Object.entries<WorkInvariant>(workChecks)) {
    it(`${name}, over random walks`, { timeout: 120_000 }, () =>
      expect(search(decideWork, invariant, 300)).toEqual({ failed: false, message: "" }),
    );

    it(`a planted fault against "${name}" is caught`, { timeout: 120_000 }, () =>
      expect(search(plants.get(name) ?? decideWork, invariant, 300).failed).toBe(true),
    );
  }
});
