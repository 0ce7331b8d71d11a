import { describe, expect, it } from "vitest";
import { createEventQueue } from "./event-queue.ts";

async function read<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("events of a run", () => {
  it("reach a reader who comes late, and one who waits", async () => {
    const queue = createEventQueue<number>(() => -1);
    queue.push(1);
    const reading = read(queue.events);
    await Promise.resolve();
    queue.push(2);
    queue.end();
    expect(await reading).toEqual([1, 2]);
  });

  it("are dropped from the oldest on when nobody reads, and the reader is told how many", async () => {
    const queue = createEventQueue<number>((count) => -count);
    for (let number = 1; number <= 10_003; number += 1) queue.push(number);
    queue.end();
    const all = await read(queue.events);
    expect(all.slice(0, 2)).toEqual([-3, 4]);
    expect(all).toHaveLength(10_001);
  });

  it("end with the fault of the run, after the last event", async () => {
    const queue = createEventQueue<number>(() => -1);
    queue.push(1);
    queue.end({ cause: new Error("the disk is full") });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of queue.events) seen.push(event);
    })();
    await expect(reading).rejects.toThrow("the disk is full");
    expect(seen).toEqual([1]);
  });

  it("are refused to a second reader at the same time, and neither hangs", async () => {
    const queue = createEventQueue<number>(() => -1);
    const first = read(queue.events);
    await expect(read(queue.events)).rejects.toMatchObject({ name: "RalphError", code: "usage" });
    queue.push(1);
    queue.end();
    expect(await first).toEqual([1]);
    expect(await read(queue.events)).toEqual([]);
  });

  it("go on where a reader left off", async () => {
    const queue = createEventQueue<number>(() => -1);
    for (const number of [1, 2, 3]) queue.push(number);
    for await (const event of queue.events) if (event === 2) break;
    queue.end();
    expect(await read(queue.events)).toEqual([3]);
  });
});
