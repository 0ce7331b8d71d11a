import { describe, expect, it } from "vitest";
import { newTask } from "./edit-task.ts";
import { followUpOf, type FollowUpWish } from "./follow-up.ts";
import { readTask } from "./read-task.ts";
import type { Task } from "./task.ts";

const coder = { promise: "CODED", verification_method: "external", verification_config: { command: "make" } };

function task(changes: Partial<Task> = {}): Task {
  const read = readTask({
    id: "auth-1",
    spec: "login",
    title: "Sign in",
    description: "Add a form.",
    priority: 2,
    dependencies: ["base"],
    assignee: "ada",
    completion: { outcome: "People sign in", acceptance_criteria: ["A wrong password is refused"], coder },
  });
  if (!("task" in read)) throw new Error(JSON.stringify(read.problems));
  return { ...newTask(read.task, 1), ...changes };
}

describe("a follow-up", () => {
  const check = (former: Task, wish: Partial<FollowUpWish>, expected: Record<string, unknown>) =>
    expect(
      followUpOf(former, { id: null, title: null, hasSameChecks: false, taken: ["auth-1"], ...wish }),
    ).toMatchObject(expected);

  it("comes after its task, in the same specification, and refers to it (S2-52)", () =>
    check(
      task({ status: "done" }),
      { title: "Sign out" },
      {
        id: "auth-1-2",
        spec: "login",
        title: "Sign out",
        priority: 2,
        dependencies: ["auth-1"],
        assignee: "ada",
        metadata: { followUpOf: "auth-1" },
        description: "Follows task auth-1 (Sign in), whose work is there.",
      },
    ));

  it("has nothing of what done means for its task, unless its checks are wanted (S2-52)", () => {
    const bare = followUpOf(task(), { id: null, title: null, hasSameChecks: false, taken: [] });
    expect(bare).not.toHaveProperty("completion");
    const checked = followUpOf(task(), { id: null, title: null, hasSameChecks: true, taken: [] });
    expect(Object.keys(checked["completion"] as object)).toEqual(["coder"]);
  });

  it("of a failed task does not wait for it: it takes its work over, with the reasons (S2-52)", () => {
    const progress = {
      role: "qa" as const,
      round: 2,
      reasons: [{ role: "qa" as const, round: 1, text: "The page is blank" }],
      runId: null,
      note: "exhausted: Sent back once",
    };
    check(
      task({ status: "failed", progress }),
      {},
      {
        title: "Follow-up of auth-1: Sign in",
        dependencies: ["base"],
        metadata: { followUpOf: "auth-1" },
        completion: { outcome: "People sign in", acceptance_criteria: ["A wrong password is refused"], coder },
        description:
          "Takes over task auth-1 (Sign in), which failed: exhausted: Sent back once\n" +
          "It was sent back before:\n- Round 1, qa: The page is blank\n\nAdd a form.",
      },
    );
  });

  it("has the next free number, or the id that is wanted (S2-52)", () => {
    check(task(), { taken: ["auth-1", "auth-1-2", "auth-1-3"] }, { id: "auth-1-4" });
    check(task(), { id: "other" }, { id: "other" });
    check(task({ id: "a".repeat(64) }), {}, { id: `${"a".repeat(62)}-2` });
  });
});
