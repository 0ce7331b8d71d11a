import { describe, expect, it } from "vitest";
import { tasks2 } from "../../../../tests/replay/version-2-run.ts";
import { noSpend } from "../../agents/spend.ts";
import { emptyView, foldEntry, type RunView } from "../../journal/run-view.ts";
import type { JournalNews } from "../../journal/journal-entry.ts";
import { upgradeEntry } from "./upgrade-run.ts";

/** Folds entries as version 2 wrote them. */
function view(bodies: readonly { observation: object; effects: object[] }[]): RunView {
  return bodies
    .map((body): JournalNews => ({ at: 1, kind: "step", ...upgradeEntry(body, 2) }) as JournalNews)
    .reduce(foldEntry, emptyView);
}

const moment = { at: 1, upMs: 1 };
const verdict = (name: string, isPassed = true) => ({ name, isPassed, index: 0, reason: name });
const checks = (id: number, of: string) => ({ type: "run-checks", id, iteration: 1, of, wallMs: null });
const finished = (effectId: number, verdicts: object[]) => ({
  ...moment,
  type: "checks-finished",
  effectId,
  verdicts,
  isCut: false,
  spend: noSpend,
});
const begin = {
  type: "begin-turn",
  id: 2,
  iteration: 1,
  feedback: [{ kind: "guardrail", index: 1, exitCode: 1, logFile: null, output: { text: "" } }],
  assignment: null,
};
const started = { ...moment, type: "turn-started", effectId: 2, pid: 1, startTime: "" };

describe("the journal of version 2", () => {
  it("shows guardrails, criteria and feedback of an iteration, and neither the look before it nor the children", () => {
    const { iterations } = view([
      { observation: { ...moment, type: "run-started" }, effects: [checks(1, "baseline")] },
      { observation: finished(1, [verdict("before")]), effects: [begin] },
      { observation: started, effects: [checks(3, "guardrails")] },
      { observation: finished(3, [verdict("a"), verdict("b", false)]), effects: [checks(4, "criteria")] },
      { observation: finished(4, [verdict("c")]), effects: [checks(5, "children")] },
      { observation: finished(5, [verdict("children")]), effects: [] },
    ]);
    expect(iterations).toHaveLength(1);
    expect(iterations[0]).toMatchObject({
      guardrails: [{ name: "a" }, { name: "b", isPassed: false }],
      criteria: [{ name: "c" }],
      feedback: [{ kind: "output", name: "guardrail 2" }],
    });
  });

  it("shows what was undone in a task list", () => {
    const repair = { type: "repair-tasks", id: 3, iteration: 1, tasks: tasks2, isApprovalAllowed: true };
    const repaired = {
      ...moment,
      type: "tasks-repaired",
      effectId: 3,
      isComplete: false,
      violations: ["undone"],
      remark: null,
      stop: null,
      tasks: tasks2,
    };
    const { iterations } = view([
      { observation: { ...moment, type: "run-started" }, effects: [begin] },
      { observation: started, effects: [repair] },
      { observation: repaired, effects: [] },
    ]);
    expect(iterations[0]?.violations).toEqual(["undone"]);
  });

  it("names what a resumed run began with as today", () => {
    const resumed = { ...moment, type: "run-resumed", lostSpend: null, answer: null, change: {}, missed: null };
    const lifted = (tasks: object | null) => upgradeEntry({ observation: { ...resumed, tasks }, effects: [] }, 2);
    const { head: _, ...slot } = tasks2;
    expect(lifted(tasks2)).toEqual({
      observation: {
        ...resumed,
        begin: { slots: { "task-list": slot }, assignment: slot.assignment, isWorkLeft: true },
      },
      effects: [],
    });
    expect(lifted(null)).toEqual({ observation: { ...resumed, begin: null }, effects: [] });
  });

  it("holds no state of an earlier upgrade from which entries could fold on", () =>
    expect(upgradeEntry({ level: "info", text: "x", upgraded: { from: 1, to: 2, state: {} } }, 2)).toEqual({
      level: "info",
      text: "x",
    }));
});
