import { expect, it } from "vitest";
import { idleOutcome } from "./idle-outcome.ts";

it("is stopped, never completed, where a task that is meant cannot be played", () => {
  const [done, open] = [
    { id: "a", isDone: true },
    { id: "b", isDone: false },
  ];
  expect(idleOutcome([done, open])).toEqual({ name: "stopped", reason: "No task is ready: b." });
  expect(idleOutcome([])).toMatchObject({ name: "stopped", reason: expect.stringContaining("no tasks yet") as string });
  expect(idleOutcome([done])).toMatchObject({ name: "completed", isVerified: false });
});
