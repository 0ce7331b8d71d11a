import { expect, it } from "vitest";
import { policyOf } from "../../../tests/engine/play.ts";
import { ada, createRun, everyoneLives, sampleRun } from "../../../tests/contract/store-samples.ts";
import { decide } from "../../core/engine/decide.ts";
import { newRun } from "../../core/run/state.ts";
import type { Store } from "../../shell/ports.ts";
import { createMemoryStore } from "../../shell/stores/memory/memory-store.ts";
import { checkJournal } from "./check-journal.ts";

const policy = policyOf({});

/** A run that was paused and continued so many times. */
async function longRun(store: Store, requests: number) {
  const { frozen, ...run } = sampleRun("a");
  let state = newRun(policy);
  await createRun(store, { ...run, frozen: { ...frozen, policy }, state }, ada, everyoneLives);
  for (let seq = 0; seq <= requests; seq++) {
    const moment = { at: seq, upMs: seq };
    const request = seq % 2 === 0 ? ("go-on" as const) : ("pause" as const);
    const observation =
      seq === 0 ? { type: "run-started" as const, ...moment } : { type: "asked" as const, request, seq, ...moment };
    const [next, effects] = decide(state, observation);
    state = next;
    await store.commit({ runId: "a", epoch: 1, at: seq, state, observation, effects });
  }
  const [record] = await store.find("a");
  return record!;
}

it("reads a long journal in pages, never whole", async () => {
  const store = createMemoryStore();
  const record = await longRun(store, 1200);
  const limits: number[] = [];
  const watched: Store = {
    ...store,
    readChain: (runId, afterSeq, limit) => {
      limits.push(limit);
      return store.readChain(runId, afterSeq, limit);
    },
    readJournal: (runId, afterSeq, limit) => {
      limits.push(limit);
      return store.readJournal(runId, afterSeq, limit);
    },
  };
  const whole = { isIntact: true, entries: 1201, unhashed: 0, isReplayed: true, unreplayed: 0 };
  expect(await checkJournal({ store: watched }, record)).toEqual(whole);
  expect(Math.max(...limits)).toBeLessThanOrEqual(500);
});

it("does not take what a living run writes meanwhile for a difference", async () => {
  const store = createMemoryStore();
  const record = await longRun(store, 20);
  const [written] = [{ is: false }];
  const living: Store = {
    ...store,
    find: async (runId) => {
      const found = await store.find(runId);
      if (written.is) return found;
      written.is = true;
      const observation = { type: "asked" as const, request: "pause" as const, seq: 21, at: 21, upMs: 21 };
      const [state, effects] = decide(record.state, observation);
      await store.commit({ runId: "a", epoch: 1, at: 21, state, observation, effects });
      return found;
    },
  };
  expect(await checkJournal({ store: living }, record)).toMatchObject({ isIntact: true, entries: 22 });
});
