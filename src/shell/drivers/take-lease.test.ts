import { expect, it } from "vitest";
import { ada, bob, createRun, everyoneLives, only, sampleRun } from "../../../tests/contract/store-samples.ts";
import { createMemoryStore } from "../stores/memory/memory-store.ts";
import type { LivenessAnswer, Owner, Taken } from "../ports.ts";
import { takeLease } from "./take-lease.ts";

const zoe: Owner = { pid: 103, startTime: "5003", host: "here" };

it("asks nobody when nobody holds the directory (R-24)", async () => {
  const store = createMemoryStore();
  const isOwnerAlive = (): Promise<boolean> => Promise.reject(new Error("nobody to look at"));
  const taken = await takeLease({ attempt: (answers) => store.create(sampleRun("a"), ada, answers), isOwnerAlive });
  expect(taken).toMatchObject({ isTaken: true });
});

it("leaves everything as it was when a look at the holder fails (R-24)", async () => {
  const store = createMemoryStore();
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  const taking = takeLease({
    attempt: (answers) => store.create(sampleRun("b"), bob, answers),
    isOwnerAlive: () => Promise.reject(new Error("no process table")),
  });
  await expect(taking).rejects.toThrow("no process table");
  expect(await store.find("b")).toEqual([]);
  expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1 });
});

it("looks again when another driver took the run since the look, and lets that one be (R-24, R-44)", async () => {
  const store = createMemoryStore();
  await createRun(store, sampleRun("a"), ada, everyoneLives);
  const looked: Owner[] = [];
  const taken = await takeLease({
    attempt: (answers) => store.take("a", bob, answers),
    isOwnerAlive: async (owner) => {
      looked.push(owner);
      if (owner.pid !== ada.pid) return true;
      await store.take("a", zoe, [{ runId: "a", owner: ada, epoch: 1, isAlive: false }]);
      return false;
    },
  });
  expect(looked).toEqual([ada, zoe]);
  expect(taken).toMatchObject({ isTaken: false, holder: { owner: zoe }, unknown: [] });
});

it("gives up after five attempts when the lease passes on all the time", async () => {
  const counted = { attempts: 0 };
  const attempt = async (answers: readonly LivenessAnswer[]): Promise<Taken> => {
    expect(answers).toHaveLength(counted.attempts);
    counted.attempts += 1;
    const lease = { runId: "a", owner: ada, epoch: counted.attempts, expiresAt: null };
    const holder = { ...sampleRun("a"), ...lease, updatedAt: 0, endedAt: null, outcome: null };
    return { isTaken: false, holder, unknown: [lease] };
  };
  expect(await takeLease({ attempt, isOwnerAlive: async () => false })).toMatchObject({ isTaken: false });
  expect(counted.attempts).toBe(5);
});
