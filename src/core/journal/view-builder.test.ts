import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMove, anyPolicy, walk } from "../../../tests/properties/walk.ts";
import { anyPlan, anyWorkMove, walkWork } from "../../../tests/properties/work-walk.ts";
import { propertySeed } from "../../../tests/property-seed.ts";
import { decide } from "../engine/decide.ts";
import { decideWork } from "../work/decide-work.ts";
import type { JournalNews, WorkStepNews } from "./journal-entry.ts";
import { emptyView, foldEntry, type IterationView, type RunView } from "./run-view.ts";
import { createViewBuilder } from "./view-builder.ts";

type News = JournalNews | WorkStepNews;

/** The view with the past iterations put back before the one that was kept. */
function builtInParts(journal: readonly News[]): { view: RunView; keptMax: number } {
  const past: IterationView[] = [];
  const builder = createViewBuilder((iteration) => past.push(iteration));
  let keptMax = 0;
  for (const entry of journal) {
    builder.add(entry);
    keptMax = Math.max(keptMax, builder.view().iterations.length);
  }
  const view = builder.view();
  return { view: { ...view, iterations: [...past, ...view.iterations] }, keptMax };
}

function builtWhole(journal: readonly News[]): RunView {
  const builder = createViewBuilder();
  for (const entry of journal) builder.add(entry);
  return builder.view();
}

/** Remarks stand between the steps, as the shell writes them. */
const withNotes = (steps: readonly News[]): News[] =>
  steps.flatMap((step, index) =>
    index % 5 === 3
      ? [{ kind: "note", at: step.at, level: "warning", text: `remark ${index}` } as const, step]
      : [step],
  );

/** Every way to make a view of a journal, and how many iterations the builder that hands them over ever kept. */
function viewsOf(journal: readonly News[]): { built: RunView; inParts: RunView; folded: RunView; keptMax: number } {
  const { view, keptMax } = builtInParts(journal);
  return { built: builtWhole(journal), inParts: view, folded: journal.reduce(foldEntry, emptyView), keptMax };
}

describe("a view built in place", () => {
  it(
    "is the same as the folded one on any walk of a run, kept whole or handed over in parts",
    { timeout: 60_000 },
    () => {
      const anyWalk = fc.record({ policy: anyPolicy, moves: fc.array(anyMove, { maxLength: 40 }) });
      fc.assert(
        fc.property(anyWalk, ({ policy, moves }) => {
          const { steps } = walk(decide, policy, moves);
          const entries = steps.map(({ observation, effects }): News => ({
            kind: "step",
            at: observation.at,
            observation,
            effects,
          }));
          const { built, inParts, folded, keptMax } = viewsOf(withNotes(entries));
          expect({ built, inParts }).toEqual({ built: folded, inParts: folded });
          expect(keptMax).toBeLessThanOrEqual(1);
        }),
        { numRuns: 200, seed: propertySeed },
      );
    },
  );

  it("is the same as the folded one on any walk of a work run", { timeout: 60_000 }, () => {
    const anyWalk = fc.record({ plan: anyPlan, moves: fc.array(anyWorkMove, { maxLength: 60, size: "max" }) });
    fc.assert(
      fc.property(anyWalk, ({ plan, moves }) => {
        const { steps } = walkWork(decideWork, plan, moves);
        const entries = steps.map(({ observation, effects }): News => ({
          kind: "work-step",
          at: observation.at,
          observation,
          effects,
        }));
        const { built, inParts, folded } = viewsOf(withNotes(entries));
        expect({ built, inParts }).toEqual({ built: folded, inParts: folded });
      }),
      { numRuns: 30, seed: propertySeed },
    );
  });

  it("leaves the empty view and the views of other builders as they are", () => {
    const note: News = { kind: "note", at: 1, level: "info", text: "one" };
    const [first, second] = [createViewBuilder(), createViewBuilder()];
    first.add(note);
    expect(second.view()).toEqual(emptyView);
    expect(emptyView.notes).toEqual([]);
  });
});
