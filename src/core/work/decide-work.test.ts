import { describe, expect, it } from "vitest";
import {
  asked,
  broken,
  cleared,
  ends,
  found,
  goOnWork,
  merged,
  opened,
  type PlayedWork,
  playWork,
  spent,
  ticked,
  verified,
  type WorkMove,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";

const one: WorkShape = { tasks: [{ id: "one" }] };
const two: WorkShape = { tasks: [{ id: "one" }, { id: "two" }] };
const trees: WorkShape = { ...two, jobs: 2, hasWorktrees: true };

/** Its roles are done; nothing of it is merged. */
const coded = (id: string): WorkMove[] => [opened(id), ends(id)];
const kept = (id: string): WorkMove[] => [found(id), merged(id), verified(id), cleared(id)];

/** Orders, and the outcome with its reason. */
function check({ orders, state }: PlayedWork, expected: string[], outcome: string | null): void {
  expect(orders).toEqual(expected);
  const ended = state.outcome;
  expect(ended === null ? null : `${ended.name}: ${ended.reason}`).toBe(outcome);
}

describe("a work run", () => {
  it("plays a role, asks every gate on the tip, and completes", () =>
    check(
      playWork({ ...one, gates: 2 }, ...coded("one"), verified("one"), verified("one")),
      ["open-place one", "new one coder 1", "check-1 of one", "check-2 of one", "completed"],
      "completed: 1 of 1 task done.",
    ));

  it("plays one task after the other in the project directory, each verified before the next", () =>
    check(
      playWork(two, ...coded("one"), verified("one"), ...coded("two")),
      ["open-place one", "new one coder 1", "check-1 of one", "open-place two", "new two coder 1", "check-1 of two"],
      null,
    ));

  it("never has more roles at work than slots", () =>
    check(
      playWork({ ...trees, tasks: [...two.tasks, { id: "three" }] }, opened("one"), opened("two"), ends("two")),
      ["open-place one", "open-place two", "new one coder 1", "new two coder 1", "open-place three"],
      null,
    ));

  it("merges independent tasks in the order they were chosen", () =>
    check(
      playWork(trees, opened("one"), ...coded("two"), ends("one"), ...kept("one"), ...kept("two")),
      [
        "open-place one",
        "open-place two",
        "new one coder 1",
        "new two coder 1",
        "find-tip one",
        "merge-task one",
        "check-1 of one",
        "clear-place one",
        "find-tip two",
        "merge-task two",
        "check-1 of two",
        "clear-place two",
        "completed",
      ],
      "completed: 2 of 2 tasks done.",
    ));

  it("begins a task only when what it waits for is done, and leaves it when that is not", () => {
    const waiting = { ...trees, tasks: [{ id: "one" }, { id: "two", needs: ["one"] }] };
    check(playWork(waiting, opened("one")), ["open-place one", "new one coder 1"], null);
    check(
      playWork(waiting, opened("one"), ends("one", { name: "failed" })),
      ["open-place one", "new one coder 1", "failed"],
      "failed: 0 of 2 tasks done. one: it is failed Its work is in /trees/one (ralph/one).",
    );
  });

  it("ends a task whose operation failed, and goes on with the others", () =>
    check(
      playWork(two, broken("one", "no disk"), ...coded("two"), verified("two")),
      ["open-place one", "open-place two", "new two coder 1", "check-1 of two", "failed"],
      "failed: 1 of 2 tasks done. one: no disk",
    ));

  it("ignores answers of effects that are not in flight", () => {
    const played = playWork(one, opened("one"));
    const stale = goOnWork(played, () => ({ news: { type: "place-cleared", effectId: 1 } }));
    expect(stale.state).toBe(played.state);
  });

  it("hears a request once, although a resume and the driver both read it", () => {
    const played = playWork(one, opened("one"), asked("pause"), asked("go-on"));
    const again = goOnWork(played, () => ({ news: { type: "asked", request: "pause", seq: 1 } }));
    expect(again.state).toBe(played.state);
  });
});

describe("requests to a work run", () => {
  it("reach every role at work, and nothing new begins after a cancel (R-42)", () =>
    check(
      playWork(
        { ...trees, tasks: [...two.tasks, { id: "three" }] },
        opened("one"),
        opened("two"),
        asked("cancel"),
        ends("one", { name: "cancelled" }),
        ends("two", { name: "cancelled" }),
      ),
      [
        "open-place one",
        "open-place two",
        "new one coder 1",
        "new two coder 1",
        "tell one cancel",
        "tell two cancel",
        "cancelled",
      ],
      "cancelled: Cancelled by request. 0 of 3 tasks done.",
    ));

  it("end one task when only its role run was cancelled (R-43)", () =>
    check(
      playWork(trees, opened("one"), opened("two"), ends("one", { name: "cancelled" }), ends("two"), ...kept("two")),
      [
        "open-place one",
        "open-place two",
        "new one coder 1",
        "new two coder 1",
        "find-tip two",
        "merge-task two",
        "check-1 of two",
        "clear-place two",
        "cancelled",
      ],
      "cancelled: 1 of 2 tasks done. one: it is cancelled Its work is in /trees/one (ralph/one).",
    ));

  it("hold the next role back during a pause, and let it begin afterwards", () => {
    const roles = { ...one, roles: ["coder", "reviewer"] as const };
    const paused = playWork({ ...roles, roles: [...roles.roles] }, opened("one"), asked("pause"), ends("one"));
    check(paused, ["open-place one", "new one coder 1", "tell one pause"], null);
    expect([paused.state.isHeld, paused.state.isPauseAsked]).toEqual([true, true]);
    const after = goOnWork(paused, asked("go-on"));
    expect(after.orders.at(-1)).toBe("open-place one");
    expect(after.state.isHeld).toBe(false);
  });

  it("cut the gate on a merged tip, and the task is not done (merged = verified)", () => {
    const cut = playWork(one, ...coded("one"), asked("cancel"));
    expect(cut.orders.slice(-2)).toEqual(["check-1 of one", "cut gate of one"]);
    expect(cut.state.outcome).toBeNull();
  });

  it("are overruled by nothing once a cancel came", () => {
    const played = playWork(one, opened("one"), asked("cancel"), asked("interrupt"), asked("go-on"));
    expect(played.state.work.asked?.name).toBe("cancelled");
  });
});

describe("budgets of a work run", () => {
  const limited = { ...trees, policy: { budgetUsd: 1 } };

  it("hold over all roles together, and every other role ends for the same reason (S2-63)", () =>
    check(
      playWork(limited, opened("one"), opened("two"), spent("one", 0.4), spent("two", 0.6, true)),
      ["open-place one", "open-place two", "new one coder 1", "new two coder 1", "cut one stopped"],
      null,
    ));

  it("are what is left for a role that begins later", () => {
    const played = playWork({ ...one, roles: ["coder", "reviewer"], policy: { budgetUsd: 1 } }, opened("one"));
    const next = goOnWork(played, ends("one", { usd: 0.25 }), opened("one", 2));
    expect(next.effects.at(-1)).toMatchObject({ start: { kind: "new", rest: { budgetUsd: 0.75 } } });
    expect(next.state.spend.usd).toBe(0.25);
  });

  it("of time are counted while roles are at work", () => {
    const played = playWork({ ...one, policy: { budgetMs: 20_000 } }, opened("one"), ticked(15_000), ticked(15_000));
    expect(played.orders.at(-1)).toBe("cut one stopped");
    expect(played.state.work.asked?.reason).toBe("Used the time budget of 20s.");
  });
});
