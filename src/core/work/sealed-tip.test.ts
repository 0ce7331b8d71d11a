import { describe, expect, it } from "vitest";
import {
  compared,
  ends,
  found,
  goOnWork,
  merged,
  opened,
  type PlayedWork,
  playWork,
  resumedWith,
  undone,
  used,
  verified,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";
import type { TaskProgress } from "../tasks/task.ts";
import type { WorkEffect } from "./work-effect.ts";

const roles = ["coder" as const, "reviewer" as const];
const here: WorkShape = { tasks: [{ id: "one" }], isSealed: true, gates: 2 };
const trees: WorkShape = { ...here, hasWorktrees: true, hasTip: true };
const progress: TaskProgress = { role: "coder", round: 1, reasons: [], runId: "one-1", note: "", base: "t1" };

function ordered<Type extends WorkEffect["type"]>({ effects }: PlayedWork, type: Type) {
  return effects.filter((each): each is Extract<WorkEffect, { type: Type }> => each.type === type);
}

/** The base that each role run was started with, in their order. */
function basesOf(played: PlayedWork): (string | undefined)[] {
  return ordered(played, "start-role").flatMap(({ start }) => (start.kind === "new" ? [start.place.base] : []));
}

describe("a sealed work run", () => {
  it("compares all roles of a task with what the first one found", () => {
    const played = playWork({ ...here, roles }, opened("one", 1, "t1"), ends("one"), opened("one", 2, "t2"));
    expect(basesOf(played)).toEqual(["t1", "t1"]);
  });

  it.each([
    ["that it left unfinished itself", here, true, "t1"],
    ["in a work tree that another work run left", { ...here, hasWorktrees: true }, false, "t1"],
    ["in the project directory, where people may have worked since", here, false, undefined],
  ])("finds a task %s", (_, shape: WorkShape, isOwn: boolean, expected: string | undefined) => {
    const known = isOwn ? [{ runId: "one-1", ...used("one"), end: null }] : [];
    const resumed = goOnWork(playWork(shape), resumedWith({ ...shape, tasks: [{ id: "one", progress }] }, known));
    expect(resumed.state.work.tasks[0]?.progress?.base).toBe(expected);
    if (isOwn) return;
    expect(basesOf(goOnWork(resumed, opened("one", 2, "t2")))).toEqual([expected ?? "t2"]);
  });

  it("compares a merged tip with the verified one before it, and asks held-out checks of the tasks that are done", () => {
    const played = playWork(trees, opened("one", 1, "t1"), ends("one"), found("one"), merged("one"), compared("one"));
    const sealed = { base: "head", commit: "m1", tasks: ["one"], isGreenSoFar: true };
    expect(ordered(played, "verify-tip")).toMatchObject([{ sealed }]);
    const next = goOnWork(played, verified("one"));
    expect(ordered(next, "verify-tip")).toMatchObject([{ sealed }, { sealed }]);
  });

  it("compares a tip without a merge with what its task began with", () => {
    const played = playWork(here, opened("one", 1, "t1"), ends("one"));
    expect(ordered(played, "verify-tip")).toMatchObject([{ sealed: { base: "t1", commit: null } }]);
  });

  it("compares a task whose merge was undone with the branch that it was merged into", () => {
    const moves = [opened("one", 1, "t1"), ends("one"), found("one"), merged("one"), compared("one")];
    const red = playWork(trees, ...moves, verified("one", false));
    expect(ordered(red, "verify-tip")[1]?.sealed?.isGreenSoFar).toBe(false);
    const back = goOnWork(red, verified("one"), undone("one"), opened("one", 2, "t2"));
    expect(basesOf(back)).toEqual(["t1", "head"]);
  });

  it("says nothing of a seal where checks are not sealed", () => {
    const { isSealed: _sealed, ...unsealed } = here;
    const played = playWork(unsealed, opened("one"), ends("one"));
    expect(ordered(played, "verify-tip")[0]).not.toHaveProperty("sealed");
    expect(played.state.work.tasks[0]?.progress).not.toHaveProperty("base");
  });

  it.each([
    ["any role that waits", null, ["test/a.js"]],
    ["the task that is named", "one", ["test/a.js"]],
    ["another task", "two", undefined],
  ])("gives accepted tests to %s", (_, taskId, expected) => {
    const waiting = { outcome: { name: "waiting" as const, reason: "" }, rejected: null, checks: [] };
    const shape = { ...here, tasks: [{ id: "one", progress }] };
    const help = { answer: null, more: null, accepted: { taskId, names: ["test/a.js"] } };
    const known = [{ runId: "one-1", ...used("one"), end: waiting }];
    const resumed = goOnWork(playWork(here), resumedWith(shape, known, { help }));
    const [order] = ordered(resumed, "start-role");
    const start = order?.start.kind === "resume" ? order.start : null;
    expect([start?.kind, start?.acceptedTests]).toEqual(["resume", expected]);
  });
});
