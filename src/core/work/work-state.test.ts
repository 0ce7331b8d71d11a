import { expect, it } from "vitest";
import {
  asked,
  ends,
  found,
  merged,
  opened,
  playWork,
  verified,
  type WorkMove,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";
import { standingOf } from "./work-state.ts";

const tree: WorkShape = { tasks: [{ id: "one" }, { id: "two", needs: ["one"] }], hasWorktrees: true };

/** What the store of tasks is told of each task, in short. */
function check(moves: WorkMove[], expected: (string | null)[]): void {
  const { state } = playWork(tree, ...moves);
  const told = state.work.tasks.map((task) => {
    const standing = standingOf(state, task);
    return standing === null ? null : `${standing.status} ${standing.progress?.role}, ${standing.iteration} iterations`;
  });
  expect(told).toEqual(expected);
}

it("tells nothing of a task that was not begun", () => check([], ["running coder, 0 iterations", null]));

it("leaves a task alone whose roles are over until its merge is marked", () => {
  check([opened("one"), ends("one")], [null, null]);
  check([opened("one"), ends("one"), found("one")], ["running coder, 1 iterations", null]);
});

it("tells how a task ended", () => {
  const inTip = [opened("one"), ends("one"), found("one"), merged("one"), verified("one")];
  check(inTip, ["done coder, 1 iterations", null]);
  check([asked("cancel"), opened("one")], ["ready coder, 0 iterations", null]);
});
