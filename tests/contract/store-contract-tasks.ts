import { expect, it } from "vitest";
import type { Task, TaskStanding } from "../../src/core/tasks/task.ts";
import type { FreshStore } from "./store-contract.ts";
import { ada, createRun, day, endingStep, everyoneLives, sampleRun, start } from "./store-samples.ts";

const here = "/project";

/** A task nobody has worked on, with every kind of field filled. */
export function sampleTask(id: string, changes: Partial<Task> = {}): Task {
  return {
    id,
    spec: "login",
    title: `Task ${id} ✔`,
    description: "Several\nlines",
    priority: 2,
    dependencies: ["base"],
    assignee: "ada",
    metadata: { ticket: 7, tags: ["x"] },
    other: { points: 5 },
    completion: {
      outcome: "People can sign in.",
      acceptanceCriteria: ["A wrong password is refused."],
      criteria: {
        coder: {
          promise: "CODED",
          description: "All tests pass.",
          maxIterations: null,
          verification: { method: "string_match", promise: null, isLoose: false },
        },
      },
    },
    version: 1,
    status: "ready",
    iteration: 0,
    progress: null,
    createdAt: start,
    updatedAt: start,
    ...changes,
  };
}

const working: TaskStanding = {
  status: "running",
  iteration: 3,
  progress: {
    role: "reviewer",
    round: 2,
    reasons: [{ role: "reviewer", round: 1, text: "No test." }],
    runId: "run-1",
    note: "Second round.",
  },
};

/** Tasks of a project directory. */
export function describeTasks(fresh: FreshStore): void {
  it("keeps tasks with completion and iteration per directory, and one without a completion (S2-05, S2-60)", async () => {
    const store = await fresh();
    const bare = sampleTask("bare", { completion: null, assignee: null, metadata: {}, dependencies: [] });
    await store.putTasks(here, [
      { task: sampleTask("a", { iteration: 4 }), expected: null },
      { task: bare, expected: null },
    ]);
    expect(await store.getTask(here, "a")).toEqual(sampleTask("a", { iteration: 4 }));
    expect(await store.getTask(here, "bare")).toEqual(bare);
    expect(await store.getTask("/elsewhere", "a")).toBeNull();
    expect(await store.listTasks("/elsewhere")).toEqual([]);
  });

  it("lists the highest priority first, then the oldest", async () => {
    const store = await fresh();
    const tasks = [
      sampleTask("low", { priority: 3 }),
      sampleTask("young", { priority: 1, createdAt: start + 1 }),
      sampleTask("old", { priority: 1 }),
    ];
    await store.putTasks(
      here,
      tasks.map((task) => ({ task, expected: null })),
    );
    expect((await store.listTasks(here)).map(({ id }) => id)).toEqual(["old", "young", "low"]);
  });

  it("stores all tasks of a batch or none when one is not as expected (S2-50)", async () => {
    const store = await fresh();
    await store.putTasks(here, [{ task: sampleTask("a"), expected: null }]);
    const check = async (writes: { task: Task; expected: number | null }[], words: string) => {
      const batch = [{ task: sampleTask("new"), expected: null }, ...writes];
      const refused = { code: "conflict", message: expect.stringContaining(words) as unknown };
      await expect(store.putTasks(here, batch)).rejects.toMatchObject(refused);
      expect(await store.listTasks(here)).toEqual([sampleTask("a")]);
    };
    await check([{ task: sampleTask("a", { title: "again" }), expected: null }], "a was added");
    await check([{ task: sampleTask("a", { title: "again" }), expected: start - 1 }], "a was changed");
    await check([{ task: sampleTask("b"), expected: start }], "b was removed");
    await check([{ task: sampleTask("new"), expected: null }], "new was added");
  });

  it("replaces a task that is as expected, and raises updatedAt although the clock stands still", async () => {
    const store = await fresh();
    await store.putTasks(here, [{ task: sampleTask("a"), expected: null }]);
    await store.putTasks(here, [{ task: sampleTask("a", { title: "new", version: 2 }), expected: start }]);
    expect(await store.getTask(here, "a")).toMatchObject({ title: "new", version: 2, updatedAt: start + 1 });
  });

  it("writes how far a task is without a new version, once for each state that was seen (S2-05)", async () => {
    const store = await fresh();
    await store.putTasks(here, [{ task: sampleTask("a"), expected: null }]);
    const update = { expected: start, at: start, standing: working };
    const updated = await store.updateTask(here, "a", update);
    expect(updated).toEqual({ ...sampleTask("a"), ...working, updatedAt: start + 1 });
    expect(await store.updateTask(here, "a", { ...update, standing: { ...working, iteration: 9 } })).toBeNull();
    expect(await store.getTask(here, "a")).toEqual(updated);
    expect(await store.updateTask(here, "b", update)).toBeNull();
    expect(await store.updateTask("/elsewhere", "a", { ...update, expected: start + 1 })).toBeNull();
  });

  it("removes a task only as it was seen", async () => {
    const store = await fresh();
    await store.putTasks(here, [{ task: sampleTask("a"), expected: null }]);
    expect(await store.removeTask(here, "a", start + 5)).toBe(false);
    expect(await store.removeTask("/elsewhere", "a", start)).toBe(false);
    expect(await store.removeTask(here, "a", start)).toBe(true);
    expect(await store.getTask(here, "a")).toBeNull();
    expect(await store.removeTask(here, "a", start)).toBe(false);
  });

  it("keeps tasks when runs are pruned, and copies what it takes and gives", async () => {
    const store = await fresh();
    const task = sampleTask("a");
    await store.putTasks(here, [{ task, expected: null }]);
    task.dependencies.push("later");
    (await store.getTask(here, "a"))?.dependencies.push("later");
    await createRun(store, sampleRun("run"), ada, everyoneLives);
    await store.commit(endingStep("run", 1, start));
    await store.release("run", 1);
    expect(await store.prune({ days: 1, bytesMax: 0 }, start + 400 * day)).toEqual(["run"]);
    expect(await store.listTasks(here)).toEqual([sampleTask("a")]);
  });
}
