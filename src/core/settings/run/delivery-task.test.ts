import { describe, expect, it } from "vitest";
import { dueTasks, isFinalTask } from "./delivery-task.ts";

describe("a task of delivery", () => {
  it.each(["pr", "pr --draft", "pr\t--base main"])("%j comes once, after completion (S1-63)", (task) =>
    expect(isFinalTask(task)).toBe(true),
  );

  it.each(["commit", "push", "prune", "remote prune origin", "pr-tag", "tag pr"])(
    "%j comes after every iteration with green guardrails (S1-63)",
    (task) => expect(isFinalTask(task)).toBe(false),
  );

  it("comes with the delivery that it belongs to, and with no other (S1-63)", () => {
    const tasks = ["commit", "push", "pr --draft"];
    expect([dueTasks(tasks, false), dueTasks(tasks, true)]).toEqual([["commit", "push"], ["pr --draft"]]);
  });
});
