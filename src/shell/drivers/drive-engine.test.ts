import { describe, expect, it } from "vitest";
import type { Moment, Request } from "../../core/run/observation.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import type { Clock } from "../ports.ts";
import { driveEngine, type EngineDriver } from "./drive-engine.ts";

/** A toy engine: it starts two jobs at once and ends when both have answered; a cancel cuts what is left. */
type ToyState = {
  isHeld: boolean;
  lastRequestSeq: number;
  outcome: Outcome | null;
  left: number[];
};
type ToySeen = Moment &
  ({ type: "begun" } | { type: "answered"; effectId: number } | { type: "asked"; request: Request });
type ToyEffect = { type: "job"; id: number } | { type: "cut"; id: number; effectId: number };

const start: ToyState = { isHeld: false, lastRequestSeq: 0, outcome: null, left: [] };
const completed: Outcome = { name: "completed", reason: "" };

function decideToy(state: ToyState, seen: ToySeen): [ToyState, ToyEffect[]] {
  if (seen.type === "begun")
    return [
      { ...state, left: [1, 2] },
      [
        { type: "job", id: 1 },
        { type: "job", id: 2 },
      ],
    ];
  if (seen.type === "asked")
    return [
      { ...state, lastRequestSeq: 1 },
      state.left.map((effectId) => ({ type: "cut", id: effectId + 10, effectId })),
    ];
  const left = state.left.filter((id) => id !== seen.effectId);
  return left.length === state.left.length
    ? [state, []]
    : [{ ...state, left, outcome: left.length === 0 ? completed : null }, []];
}

const clock: Clock = {
  now: () => 1,
  upMs: () => 1,
  wait: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(false), { once: true })),
};

/** A driver of the toy engine, with a log of what happens in order. */
function driverOf(
  change: Partial<EngineDriver<ToyState, ToySeen, ToyEffect>>,
  log: string[],
): EngineDriver<ToyState, ToySeen, ToyEffect> {
  return {
    clock,
    store: { readRequests: () => Promise.resolve([]) },
    runId: "a",
    decide: decideToy,
    perform: (effect, _signal, post) => {
      log.push(`job ${effect.id}`);
      post({ type: "answered", effectId: effect.id });
      return Promise.resolve();
    },
    commit: ({ observation }) => {
      log.push(`stored ${observation.type}`);
      return Promise.resolve();
    },
    onStored: () => {},
    onRequest: () => () => {},
    openBackstop: null,
    ...change,
  };
}

/** A job that ends when it is cut. */
const untilCut =
  (log: string[]): EngineDriver<ToyState, ToySeen, ToyEffect>["perform"] =>
  (effect, signal, post) =>
    new Promise((resolve) =>
      signal.addEventListener("abort", () => {
        log.push(`cut ${effect.id}: ${String(signal.reason)}`);
        post({ type: "answered", effectId: effect.id });
        resolve();
      }),
    );

describe("a driver of any engine", () => {
  it("stores each step before it performs its effects, of which several are in flight", async () => {
    const log: string[] = [];
    const state = await driveEngine(driverOf({}, log), start, { type: "begun" });
    expect(state.outcome).toEqual(completed);
    expect(log).toEqual(["stored begun", "job 1", "job 2", "stored answered", "stored answered"]);
  });

  it("cuts each effect that the engine names", async () => {
    const log: string[] = [];
    const requests = [{ seq: 1, request: "cancel" as const, at: 1 }];
    const store = { readRequests: () => Promise.resolve(requests.splice(0)) };
    await driveEngine(driverOf({ store, perform: untilCut(log) }, log), start, { type: "begun" });
    expect(log.filter((line) => line.startsWith("cut"))).toHaveLength(2);
  });

  it("ends everything in flight with the fault as the reason when a step cannot be stored", async () => {
    const log: string[] = [];
    const commit = (step: { observation: ToySeen }): Promise<void> =>
      step.observation.type === "begun" ? Promise.resolve() : Promise.reject(new Error("disk full"));
    const requests = [{ seq: 1, request: "pause" as const, at: 1 }];
    const store = { readRequests: () => Promise.resolve(requests.splice(0)) };
    const driven = driveEngine(driverOf({ store, commit, perform: untilCut(log) }, log), start, { type: "begun" });
    await expect(driven).rejects.toThrow("disk full");
    expect(log).toEqual(["cut 1: Error: disk full", "cut 2: Error: disk full"]);
  });
});
