import { expect, it } from "vitest";
import {
  ada,
  bob,
  createRun,
  everyoneLives,
  nobodyLives,
  only,
  sampleRun,
  sampleStep,
  takeRun,
} from "./store-samples.ts";
import { createMemoryContents } from "../../src/shell/stores/memory/memory-contents.ts";
import { createMemoryStore, type FaultPlan } from "../../src/shell/stores/memory/memory-store.ts";

it("goes on with the same data in another store, as a restarted program does", async () => {
  const data = createMemoryContents();
  await createRun(createMemoryStore({ data }), sampleRun("a"), ada, everyoneLives);
  const restarted = createMemoryStore({ data });
  expect(await takeRun(restarted, "a", bob, nobodyLives)).toMatchObject({ isTaken: true, record: { owner: bob } });
});

it("stores nothing when a fault strikes before, and everything when it strikes after", async () => {
  const data = createMemoryContents();
  const sound = createMemoryStore({ data });
  await createRun(sound, sampleRun("a"), ada, everyoneLives);
  const failing = (plan: ReturnType<FaultPlan>) =>
    createMemoryStore({ data, fault: (operation) => (operation === "commit" ? plan : "ok") });
  await expect(failing("fail-before").commit(sampleStep("a", 1, 1))).rejects.toMatchObject({ code: "store" });
  expect((await only(sound, "a")).state.iteration).toBe(0);
  await expect(failing("fail-after").commit(sampleStep("a", 1, 2))).rejects.toMatchObject({ code: "store" });
  expect((await only(sound, "a")).state.iteration).toBe(2);
});
