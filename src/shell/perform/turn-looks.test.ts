import { describe, expect, it } from "vitest";
import type { RunContext } from "../run-context.ts";
import { createLastLook, withLastLook } from "./turn-looks.ts";

/** A run of two turns; returns the looks that were really taken. */
async function check(between: { isForgotten: boolean; gapMs: number }, expected: number): Promise<void> {
  let [upMs, looks] = [0, 0];
  const clock = { upMs: () => upMs };
  const context = { clock, fingerprint: () => Promise.resolve(String((looks += 1))) } as unknown as RunContext;
  const last = createLastLook<string>(context);
  const first = withLastLook(context, last);
  expect([await first.fingerprint(1), await first.fingerprint(1)]).toEqual(["1", "2"]);
  if (between.isForgotten) last.forget();
  upMs += between.gapMs;
  const second = withLastLook(context, last);
  const before = await second.fingerprint(2);
  expect(before).toBe(String(expected - 1));
  expect(await second.fingerprint(2)).toBe(String(expected));
}

describe("the looks of a turn", () => {
  it("takes the look after a turn for the one before the next, where nothing lies between them", async () => {
    await check({ isForgotten: false, gapMs: 10 }, 3);
  });

  it("looks again before a turn when something ran since the last one, or time passed", async () => {
    await check({ isForgotten: true, gapMs: 10 }, 4);
    await check({ isForgotten: false, gapMs: 1000 }, 4);
  });
});
