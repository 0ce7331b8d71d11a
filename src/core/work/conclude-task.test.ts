import { describe, expect, it } from "vitest";
import {
  asked,
  cleared,
  cutOff,
  ends,
  found,
  goOnWork,
  merged,
  opened,
  phaseOf,
  type PlayedWork,
  playWork,
  resumedWith,
  undone,
  verified,
  type WorkMove,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";

const tree: WorkShape = { tasks: [{ id: "one" }], hasWorktrees: true };
const coded: WorkMove[] = [opened("one"), ends("one")];
const inTip: WorkMove[] = [...coded, found("one"), merged("one")];

/** How a task ended: its status, outcome and reason. */
function check({ state }: PlayedWork, status: string, reason: string): void {
  const phase = phaseOf(state, "one");
  expect(phase.kind === "ended" ? `${phase.end.status}: ${phase.end.reason}` : phase.kind).toBe(`${status}: ${reason}`);
}

describe("a task whose roles are done", () => {
  it("is done when its merged tip is green, with what that rests on (merged = verified)", () =>
    check(
      playWork(tree, ...inTip, verified("one"), cleared("one")),
      "done",
      "Verified: coder by npm test. Not asked: reviewer, tester and qa. Merged, then green: check-1.",
    ));

  it("has the mark of its merge before it is merged (merged = verified)", () => {
    const merging = playWork(tree, ...coded, found("one"));
    expect(merging.state.work.tasks[0]).toMatchObject({
      phase: { kind: "merging" },
      progress: { tip: { before: "head" } },
    });
  });

  it("goes back to its coder when the tip is red, after the merge was undone (merged = verified)", () => {
    const red = playWork(tree, ...inTip, verified("one", false));
    expect(red.effects.at(-1)).toMatchObject({ type: "undo-merge", merge: "m1" });
    expect(red.state.work.tasks[0]?.progress?.tip?.undoing?.merge).toBe("m1");
    const back = goOnWork(red, undone("one"), opened("one", 2));
    expect(back.orders.at(-1)).toBe("new one coder 2");
    expect(back.state.work.tasks[0]?.progress?.reasons[0]?.text).toContain("they do not fit");
    expect(back.state.work.tasks[0]?.progress?.tip).toBeUndefined();
  });

  it("has failed when the tip stays red and its rounds are used up", () => {
    const again: WorkMove[] = [undone("one"), opened("one", 2), ends("one"), found("one"), merged("one")];
    const played = playWork(tree, ...inTip, verified("one", false), ...again, verified("one", false), undone("one"));
    expect(phaseOf(played.state, "one")).toMatchObject({ end: { status: "failed", outcome: { name: "exhausted" } } });
  });

  it("waits for a person when it cannot be merged", () =>
    check(
      playWork(tree, ...coded, found("one"), merged("one", "It conflicts.")),
      "conflict",
      "Its roles are done, but it is not merged: It conflicts. In the meantime its work is in /trees/one (ralph/one). " +
        "Merge it by hand: git merge ralph/one; then: ralph work one --worktrees",
    ));

  it("is not merged onto a red tip that could not be undone", () => {
    const shape: WorkShape = { ...tree, tasks: [{ id: "one" }, { id: "two" }], jobs: 2 };
    const played = playWork(
      shape,
      opened("one"),
      opened("two"),
      ends("one"),
      ends("two"),
      found("one"),
      merged("one"),
      verified("one", false),
      undone("one", "HEAD moved."),
    );
    expect(phaseOf(played.state, "two")).toMatchObject({
      end: { status: "conflict", reason: "Not merged: the merge of one is red and could not be undone." },
    });
  });

  it("is not merged once something was asked", () =>
    check(
      playWork(tree, opened("one"), asked("interrupt"), ends("one")),
      "ready",
      "Interrupted by a signal; `ralph resume` goes on. Its roles are done, but it is not merged: its work is in /trees/one (ralph/one).",
    ));

  it("is not merged when something is asked while the tip is looked for", () => {
    const played = playWork(tree, ...coded, asked("cancel"), found("one"));
    expect(played.orders).not.toContain("merge-task one");
    expect(played.state.outcome?.name).toBe("cancelled");
  });

  it("stays merged and not verified when the gate was cut, and is verified by the next resume", () => {
    const cut = playWork(tree, ...inTip, asked("interrupt"), cutOff("one"));
    check(
      cut,
      "ready",
      "Interrupted by a signal; `ralph resume` goes on. Merged, but not verified by the checks of the project; the next resume or work does it.",
    );
    const progress = cut.state.work.tasks[0]?.progress;
    if (progress == null) throw new Error("it was on its way");
    const again = goOnWork(cut, resumedWith({ ...tree, tasks: [{ id: "one", progress }] }));
    expect(again.orders.slice(cut.orders.length)).toEqual(["merge-task one"]);
  });

  it("is undone by the resume when the undo was marked and nothing more", () => {
    const red = playWork(tree, ...inTip, verified("one", false));
    const progress = red.state.work.tasks[0]?.progress;
    if (progress == null) throw new Error("it was on its way");
    const shape: WorkShape = { ...tree, tasks: [{ id: "one", status: "running", progress }] };
    expect(goOnWork(red, resumedWith(shape)).orders.at(-1)).toBe("undo-merge one");
  });
});
