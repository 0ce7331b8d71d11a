import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLimits, type Limits, type ReachedLimit } from "./limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function limitsOf(idleMs: number | null, wallMs: number | null): { limits: Limits; reached: ReachedLimit[] } {
  const reached: ReachedLimit[] = [];
  return { limits: createLimits({ idleMs, wallMs, onReached: (limit) => reached.push(limit) }), reached };
}

it("reports idleness once, counted from the last output (R-82)", () => {
  const { limits, reached } = limitsOf(1_000, null);
  vi.advanceTimersByTime(900);
  limits.noteOutput();
  vi.advanceTimersByTime(900);
  expect(reached).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(reached).toEqual(["idle"]);
});

it("reports the wall clock however much is said (R-82)", () => {
  const { limits, reached } = limitsOf(1_000, 3_000);
  for (let count = 0; count < 20; count += 1) {
    vi.advanceTimersByTime(200);
    limits.noteOutput();
  }
  expect(reached).toEqual(["wall"]);
});

it("keeps a limit longer than a timer can be set for", () => {
  const days30 = 30 * 24 * 3_600_000;
  const { reached } = limitsOf(null, days30);
  vi.advanceTimersByTime(days30 - 1_000);
  expect(reached).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(reached).toEqual(["wall"]);
});

it("counts silence after a result anew with every output and every further result", () => {
  const { limits, reached } = limitsOf(60_000, null);
  limits.endAfterSilence(1_000);
  vi.advanceTimersByTime(900);
  limits.noteOutput();
  vi.advanceTimersByTime(900);
  limits.endAfterSilence(1_000);
  vi.advanceTimersByTime(900);
  expect(reached).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(reached).toEqual(["silence"]);
});

it("does not call it silence while the output is held back", () => {
  const { limits, reached } = limitsOf(1_000, null);
  limits.hold();
  vi.advanceTimersByTime(5_000);
  limits.release();
  vi.advanceTimersByTime(900);
  expect(reached).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(reached).toEqual(["idle"]);
});

it("reports nothing once stopped", () => {
  const { limits, reached } = limitsOf(1_000, 2_000);
  limits.stop();
  limits.endAfterSilence(10);
  vi.advanceTimersByTime(10_000);
  expect(reached).toEqual([]);
});
