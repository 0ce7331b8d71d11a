import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { Clock, Store } from "../ports.ts";
import { createMemoryStore } from "../stores/memory/memory-store.ts";
import { createEventBuffer } from "./event-buffer.ts";

const event: AgentEvent = { type: "notice", text: "hello" };

/** A buffer on a store that only counts, and a clock that rings when told. */
function open(append: (count: number) => Promise<void> = () => Promise.resolve()) {
  const batches: number[] = [];
  const waits: ((isDue: boolean) => void)[] = [];
  const clock: Clock = {
    now: () => 5,
    upMs: () => 0,
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        waits.push(resolve);
        signal.addEventListener("abort", () => resolve(false), { once: true });
      }),
  };
  const appendAgentEvents: Store["appendAgentEvents"] = (_lease, records) => {
    batches.push(records.length);
    return append(records.length);
  };
  const buffer = createEventBuffer({ ...createMemoryStore(), appendAgentEvents }, clock, { runId: "run-1", epoch: 1 });
  return { buffer, batches, ring: () => waits.shift()?.(true), waits };
}

const settle = async (isTrue: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 100 && !isTrue(); tries += 1) await Promise.resolve();
};

describe("the buffer of agent events", () => {
  it("writes what came within a second as one batch", async () => {
    const { buffer, batches, ring, waits } = open();
    buffer.add(event, 1);
    buffer.add(event, 1);
    expect({ batches, waits: waits.length }).toEqual({ batches: [], waits: 1 });
    ring();
    await settle(() => batches.length > 0);
    expect(batches).toEqual([2]);
  });

  it("writes earlier when a batch is full", async () => {
    const { buffer, batches } = open();
    for (let count = 0; count < 501; count += 1) buffer.add(event, 1);
    await settle(() => batches.length > 0);
    expect(batches).toEqual([500]);
    await buffer.close();
    expect(batches).toEqual([500, 1]);
  });

  it("keeps the first 5 000 events of a turn, and those of the next", async () => {
    const { buffer, batches } = open();
    for (let count = 0; count < 5100; count += 1) buffer.add(event, 1);
    buffer.add(event, 2);
    await buffer.close();
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(5001);
  });

  it("says at the end what could not be stored, and never rejects", async () => {
    const { buffer } = open(() => Promise.reject(new Error("disk full")));
    buffer.add(event, 1);
    expect(await buffer.close()).toContain("disk full");
  });

  it("has nothing to say when all went well", async () => {
    const { buffer, batches } = open();
    expect(await buffer.close()).toBeNull();
    expect(batches).toEqual([]);
  });
});
