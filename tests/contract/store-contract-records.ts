import { expect, it } from "vitest";
import type { AgentEventRecord } from "../../src/shell/ports.ts";
import { playWork } from "../engine/play-work.ts";
import type { FreshStore } from "./store-contract.ts";
import {
  ada,
  bob,
  completed,
  createRun,
  endingStep,
  epochOf,
  everyoneLives,
  nobodyLives,
  only,
  sampleRun,
  sampleStep,
  sampleText,
  start,
  takeRun,
} from "./store-samples.ts";

/** What a driver writes: steps and notes. */
export function describeSteps(fresh: FreshStore): void {
  it("stores observation, state and effects of a step together", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const step = sampleStep("a", 1, 5);
    await store.commit(step);
    expect(await only(store, "a")).toMatchObject({ state: step.state, updatedAt: step.at, endedAt: null });
    const { at, observation, effects } = step;
    expect(await store.readJournal("a", 0, 10)).toEqual([
      { runId: "a", seq: 1, at, kind: "step", observation, effects },
    ]);
  });

  it("stores a step of a work run as one, with its tasks in the state", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const { policy } = sampleStep("a", 1, 1).state;
    const { state, effects } = playWork({ tasks: [{ id: "one" }], policy });
    const observation = { type: "timer-fired" as const, effectId: 1, at: start, upMs: 0 };
    await store.commit({ runId: "a", epoch: 1, at: start, kind: "work-step", observation, state, effects });
    expect((await only(store, "a")).state).toEqual(state);
    expect(await store.readJournal("a", 0, 10)).toEqual([
      { runId: "a", seq: 1, at: start, kind: "work-step", observation, effects },
    ]);
  });

  it("keeps what it was given, whatever becomes of the objects afterwards", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const step = sampleStep("a", 1, 5);
    await store.commit(step);
    step.state.iteration = 99;
    (await only(store, "a")).state.iteration = 98;
    expect((await only(store, "a")).state.iteration).toBe(5);
  });

  it("ends the record as the state says, keeps the first time of the end, and reopens it on resume (R-44)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.commit(endingStep("a", 1, start + 10));
    await store.commit(endingStep("a", 1, start + 20));
    expect(await only(store, "a")).toMatchObject({ outcome: completed, endedAt: start + 10, updatedAt: start + 20 });
    await store.commit(sampleStep("a", 1, 2));
    expect(await only(store, "a")).toMatchObject({ outcome: null, endedAt: null });
  });

  it("rejects a step of a run that is not there", async () => {
    const store = await fresh();
    await expect(store.commit(sampleStep("a", 1, 1))).rejects.toMatchObject({ code: "not-found" });
  });

  it("numbers steps and notes together and pages through them in order", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.commit(sampleStep("a", 1, 1));
    await store.note({ runId: "a", epoch: 1, at: start, level: "warning", text: "The disk is slow." });
    await store.commit(sampleStep("a", 1, 2));
    const seen = await store.readJournal("a", 0, 2);
    expect(seen.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, "step"],
      [2, "note"],
    ]);
    expect(seen[1]).toEqual({
      runId: "a",
      seq: 2,
      at: start,
      kind: "note",
      level: "warning",
      text: "The disk is slow.",
    });
    expect((await store.readJournal("a", 2, 2)).map(({ seq }) => seq)).toEqual([3]);
    expect(await store.readJournal("a", 3, 2)).toEqual([]);
    expect(await store.readJournal("unknown", 0, 2)).toEqual([]);
  });

  it("takes the notes of the last driver, also after it gave the run up, and for known runs only", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.release("a", 1);
    await store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "hello" });
    expect(await store.readJournal("a", 0, 2)).toHaveLength(1);
    const unknown = store.note({ runId: "b", epoch: 1, at: start, level: "info", text: "hello" });
    await expect(unknown).rejects.toMatchObject({ code: "not-found" });
  });

  it("rejects a note of a driver whose run was taken (R-44)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    const epoch = await epochOf(takeRun(store, "a", bob, nobodyLives));
    const late = store.note({ runId: "a", epoch: 1, at: start, level: "info", text: "late" });
    await expect(late).rejects.toMatchObject({ code: "lost-lock" });
    await store.note({ runId: "a", epoch, at: start, level: "info", text: "mine" });
    expect(await store.readJournal("a", 0, 2)).toMatchObject([{ text: "mine" }]);
  });
}

/** What others ask of it. */
export function describeRequests(fresh: FreshStore): void {
  it("keeps requests through every later write of state, in the order of asking (R-42, CB-19, CW-2L)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.ask("a", "pause", start + 1);
    await Promise.all([
      store.commit(sampleStep("a", 1, 1)),
      store.ask("a", "cancel", start + 2),
      store.commit(sampleStep("a", 1, 2)),
    ]);
    await takeRun(store, "a", bob, nobodyLives);
    expect(await store.readRequests("a", 0)).toEqual([
      { seq: 1, request: "pause", at: start + 1 },
      { seq: 2, request: "cancel", at: start + 2 },
    ]);
    expect(await store.readRequests("a", 1)).toEqual([{ seq: 2, request: "cancel", at: start + 2 }]);
    expect((await only(store, "a")).state.iteration).toBe(2);
  });

  it("keeps the requests of a killed run from the next run in its directory (R-45)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.ask("a", "cancel", start);
    await createRun(store, sampleRun("b"), bob, nobodyLives);
    expect(await store.readRequests("b", 0)).toEqual([]);
  });

  it("rejects a request to a run that is not there", async () => {
    const store = await fresh();
    await expect(store.ask("a", "cancel", start)).rejects.toMatchObject({ code: "not-found" });
  });
}

/** What the agent said meanwhile. */
export function describeAgentEvents(fresh: FreshStore): void {
  it("numbers agent events per run, apart from the journal, and pages through them", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.appendAgentEvents(first, []);
    await store.appendAgentEvents(first, [
      { effectId: 1, at: start, event: sampleText("one") },
      { effectId: 1, at: start + 1, event: sampleText("two") },
    ]);
    await store.appendAgentEvents(first, [{ effectId: 2, at: start + 2, event: sampleText("three") }]);
    expect(await store.readAgentEvents("a", 1, 1)).toEqual([
      { runId: "a", effectId: 1, seq: 2, at: start + 1, event: sampleText("two") },
    ]);
    expect((await store.readAgentEvents("a", 0, 10)).map(({ effectId }) => effectId)).toEqual([1, 1, 2]);
    expect(await store.readJournal("a", 0, 10)).toEqual([]);
  });

  it("keeps the first 5 000 events of a turn, and the next turn's", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.appendAgentEvents(first, numbered(1, 4999));
    await store.appendAgentEvents(first, numbered(1, 3));
    await store.appendAgentEvents(first, numbered(1, 1));
    await store.appendAgentEvents(first, numbered(2, 1));
    const kept = await store.readAgentEvents("a", 0, 10_000);
    expect(kept).toHaveLength(5001);
    expect(kept[4999]).toMatchObject({ seq: 5000, effectId: 1, event: { text: "0" } });
    expect(kept[5000]).toMatchObject({ seq: 5001, effectId: 2 });
  });

  it("cuts bodies at 2 KB", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await store.appendAgentEvents(first, [{ effectId: 1, at: start, event: sampleText("x".repeat(100_000)) }]);
    const [record] = await store.readAgentEvents("a", 0, 1);
    expect(record?.event).toEqual(sampleText(`${"x".repeat(2047)}…`));
  });

  it("rejects events of a run that is not there, and of a driver whose run was taken, and stores none of them (R-44)", async () => {
    const store = await fresh();
    await createRun(store, sampleRun("a"), ada, everyoneLives);
    await expect(store.appendAgentEvents({ runId: "b", epoch: 1 }, numbered(1, 1))).rejects.toMatchObject({
      code: "not-found",
    });
    const epoch = await epochOf(takeRun(store, "a", bob, nobodyLives));
    await expect(store.appendAgentEvents(first, numbered(1, 2))).rejects.toMatchObject({ code: "lost-lock" });
    expect(await store.readAgentEvents("a", 0, 10)).toEqual([]);
    await store.appendAgentEvents({ runId: "a", epoch }, numbered(1, 1));
    expect(await store.readAgentEvents("a", 0, 10)).toHaveLength(1);
  });
}

/** The lease of the first driver of the sample run. */
const first = { runId: "a", epoch: 1 };

function numbered(effectId: number, count: number): Omit<AgentEventRecord, "runId" | "seq">[] {
  return Array.from({ length: count }, (_, index) => ({
    effectId,
    at: start,
    event: sampleText(`${index}`),
  }));
}
