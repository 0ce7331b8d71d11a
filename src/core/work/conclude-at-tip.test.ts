import { describe, expect, it } from "vitest";
import {
  asked,
  cleared,
  closed,
  compared,
  ends,
  found,
  goOnWork,
  merged,
  opened,
  phaseOf,
  playWork,
  resumedWith,
  undone,
  verified,
  type WorkMove,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";
import { openWorkState } from "./open-work-state.ts";

const tree: WorkShape = { tasks: [{ id: "one" }], hasWorktrees: true, hasTip: true };
const coded: WorkMove[] = [opened("one"), ends("one")];
const inTip: WorkMove[] = [...coded, found("one"), merged("one")];
const done: WorkMove[] = [...inTip, compared("one"), verified("one"), compared("one"), cleared("one")];

describe("a work run that knows where it left its branch", () => {
  it("compares the files with the merged commit before and after the gates, and looks at the branch at the end (merged = verified)", () => {
    const played = playWork(tree, ...done, closed());
    expect(played.orders).toEqual([
      "open-place one",
      "new one coder 1",
      "find-tip one",
      "merge-task one",
      "compare-tip one",
      "check-1 of one",
      "compare-tip one",
      "clear-place one",
      "find-tip one",
      "completed",
    ]);
    expect(played.state.work).toMatchObject({
      tip: { branch: "main", commit: "m1" },
      verified: [{ taskId: "one", commit: "m1" }],
    });
  });

  it.each([
    ["before", [compared("one", ["a.txt"])]],
    ["after", [compared("one"), verified("one"), compared("one", ["a.txt"])]],
  ])("undoes a merge whose files differ %s the gates, and sends the task back (merged = verified)", (_, moves) => {
    const red = playWork(tree, ...inTip, ...moves);
    expect(red.effects.at(-1)).toMatchObject({
      type: "undo-merge",
      merge: "m1",
      reason: expect.stringMatching(/a\.txt/),
    });
    const back = goOnWork(red, undone("one"), opened("one", 2));
    expect(back.orders.at(-1)).toBe("new one coder 2");
    expect(back.state.work.tip).toEqual({ branch: "main", commit: "head" });
    expect(back.state.work.tasks[0]?.progress?.reasons[0]?.text).toContain("a.txt");
  });

  it("merges nothing onto a branch that somebody moved (a task is merged only where ralph left its branch)", () => {
    const played = playWork(tree, ...coded, found("one", { head: "other" }));
    expect(played.orders).not.toContain("merge-task one");
    expect(phaseOf(played.state, "one")).toMatchObject({ end: { status: "conflict", outcome: { name: "waiting" } } });
    expect(played.state.outcome).toMatchObject({ name: "waiting", reason: expect.stringContaining("expected head") });
  });

  it.each([
    ["while it merges", [...coded, found("one"), merged("one", null, { base: "other" })]],
    ["before the gates", [...inTip, compared("one", [], { head: "other" })]],
    ["during the gates", [...inTip, compared("one"), verified("one"), compared("one", [], { branch: null })]],
  ])("verifies nothing when somebody moves it %s (merged = verified)", (_, moves) => {
    const { state, orders } = playWork(tree, ...moves);
    expect(phaseOf(state, "one")).toMatchObject({ end: { status: "ready", outcome: { name: "waiting" } } });
    expect(state.work.tasks[0]?.progress?.tip).toBeDefined();
    expect(orders).not.toContain("undo-merge one");
  });

  it("does not complete when a verified merge is gone at the end (a work run that lost a verified merge does not complete)", () => {
    const { state } = playWork(tree, ...done, closed({ head: "other", lost: ["m1"] }));
    expect(state.outcome).toMatchObject({ name: "waiting", reason: expect.stringContaining("m1 of task one") });
  });

  it("keeps nothing when it was cancelled before the last comparison", () => {
    const { state } = playWork(tree, ...inTip, compared("one"), asked("cancel"), verified("one"));
    expect(phaseOf(state, "one")).toMatchObject({ end: { status: "ready", outcome: { name: "cancelled" } } });
  });

  it("remembers the place over a resume, also one merge of its own further (a task is merged only where ralph left its branch)", () => {
    const before = playWork(tree, ...coded, found("one"));
    const { progress } = before.state.work.tasks[0] ?? {};
    const opening = openWorkState(before.state);
    expect(opening).toMatchObject({ state: { work: { tip: { branch: "main", commit: "head" } } } });
    const again = { ...tree, tasks: [{ id: "one", ...(progress == null ? {} : { progress }) }] };
    const resumed = goOnWork(before, resumedWith(again, [], { tip: { branch: "main", commit: "m2" } }));
    expect(resumed.orders.at(-1)).toBe("find-tip one");
    const ours = goOnWork(resumed, found("one", { head: "m1", merge: "m1", base: "head" }));
    expect(ours.effects.at(-1)).toMatchObject({ type: "merge-task", before: "head" });
    expect(goOnWork(resumed, found("one", { head: "m2" })).state.outcome?.name).toBe("waiting");
  });
});
