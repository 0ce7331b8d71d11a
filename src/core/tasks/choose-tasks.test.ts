import { describe, expect, it } from "vitest";
import { chooseTasks } from "./choose-tasks.ts";
import type { Task } from "./task.ts";

function task(id: string, given: Partial<Task> = {}): Task {
  return {
    id,
    spec: "",
    title: id,
    description: "",
    priority: 3,
    dependencies: [],
    assignee: null,
    metadata: {},
    completion: null,
    status: "ready",
    iteration: 0,
    progress: null,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    ...given,
  };
}

describe("choosing tasks", () => {
  const check = (given: { all: Task[]; names?: string[] }, expected: string[] | { problems: string[] }): void => {
    const found = chooseTasks(given.all, given.names ?? []);
    expect("problems" in found ? found : found.chosen.map(({ id }) => id)).toEqual(expected);
  };

  it("takes ready ones in the given order, each after what it depends on (S2-52)", () =>
    check({ all: [task("c", { dependencies: ["a"] }), task("b"), task("a")] }, ["b", "a", "c"]));

  it("takes also what a dead driver left running, but neither done nor failed ones (CW-2L)", () =>
    check({ all: [task("a", { status: "running" }), task("b", { status: "done" }), task("c", { status: "failed" })] }, [
      "a",
    ]));

  it("takes a failed one or a conflict by name", () =>
    check({ all: [task("a", { status: "failed" }), task("b", { status: "conflict" }), task("c")], names: ["b", "a"] }, [
      "a",
      "b",
    ]));

  it("leaves what waits for a task that will not be done, and says so", () => {
    const all = [
      task("a", { status: "failed" }),
      task("b", { dependencies: ["a"] }),
      task("c", { dependencies: ["b"] }),
    ];
    expect(chooseTasks(all, [])).toEqual({
      chosen: [],
      left: [
        { id: "a", why: "has failed; `ralph work a` tries again" },
        { id: "b", why: "waits for a" },
        { id: "c", why: "waits for b" },
      ],
    });
    expect(chooseTasks([task("d", { status: "done" })], ["d"])).toEqual({
      chosen: [],
      left: [{ id: "d", why: "is done" }],
    });
  });

  it("names a cycle, an unknown dependency and an unknown task, and chooses nothing", () => {
    const cycle = [task("a", { dependencies: ["b"] }), task("b", { dependencies: ["a"] })];
    check({ all: cycle }, { problems: ["Task a is part of a cycle, so none of it could ever begin: a -> b -> a."] });
    check(
      { all: [task("a", { dependencies: ["missing"] })] },
      { problems: ["Task a names the unknown task missing."] },
    );
    check(
      { all: [task("auth-001")], names: ["auth-01"] },
      { problems: ['There is no task "auth-01"; did you mean auth-001?'] },
    );
  });
});
