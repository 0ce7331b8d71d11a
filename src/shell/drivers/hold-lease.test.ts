import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { ada, bob, only, sampleRun, start } from "../../../tests/contract/store-samples.ts";
import { newRun } from "../../core/run/state.ts";
import type { Clock, Store } from "../ports.ts";
import { leaseMs } from "../stores/lease-rule.ts";
import { createMemoryStore } from "../stores/memory/memory-store.ts";
import { holdLease } from "./hold-lease.ts";
import { driveRun } from "./outer-driver.ts";

type Wait = { ms: number; place: string | undefined; end: (isOver: boolean) => void };

/** A clock that stands still until `pass`, and knows who waits. */
function handClock() {
  const waits = new Set<Wait>();
  const clock: Clock & { nowMs: number } = {
    nowMs: start,
    now: () => clock.nowMs,
    upMs: () => clock.nowMs - start,
    wait: (ms, signal, place) =>
      new Promise((resolve) => {
        const end = (isOver: boolean): void => {
          waits.delete(wait);
          resolve(isOver);
        };
        const wait: Wait = { ms, place, end };
        waits.add(wait);
        signal.addEventListener("abort", () => end(false), { once: true });
      }),
  };
  const pass = async (ms: number): Promise<void> => {
    clock.nowMs += ms;
    for (const wait of Array.from(waits)) if (wait.ms <= ms) wait.end(true);
    await settle();
  };
  return { clock, waits, pass };
}

/** Lets everything that can happen now happen. */
async function settle(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
}

/** A held run of `ada`, its notes, and a store whose renewals fail while `fault` says why. */
async function held() {
  const hand = handClock();
  const made = { fault: null as string | null, renewals: 0 };
  const memory = createMemoryStore({ now: () => hand.clock.now() });
  const store: Store = {
    ...memory,
    renew(lease) {
      made.renewals += 1;
      return made.fault === null ? memory.renew(lease) : Promise.reject(new Error(made.fault));
    },
  };
  await store.create(sampleRun("a"), ada, []);
  const notes: string[] = [];
  const note = async (_: string, text: string): Promise<void> => void notes.push(text);
  const order = { clock: hand.clock, store, lease: { runId: "a", epoch: 1 }, note };
  return { ...hand, store, made, notes, order };
}

describe("a held lease", () => {
  it("is renewed every ten seconds while the work lasts, in the background, and given up at its end (R-44)", async () => {
    const { order, pass, store, waits, made } = await held();
    const work = Promise.withResolvers<string>();
    const holding = holdLease(order, () => work.promise);
    await settle();
    expect([...waits].map(({ ms, place }) => [ms, place])).toEqual([[10_000, "background"]]);
    await pass(10_000);
    await pass(10_000);
    expect(await only(store, "a")).toMatchObject({ owner: ada, epoch: 1, expiresAt: start + 20_000 + leaseMs });
    work.resolve("done");
    expect(await holding).toBe("done");
    expect(waits.size).toBe(0);
    await pass(10_000);
    expect(made.renewals).toBe(2);
    expect(await only(store, "a")).toMatchObject({ owner: null, expiresAt: null });
  });

  it("is given up when the work fails (R-24)", async () => {
    const { order, store, waits } = await held();
    await expect(holdLease(order, () => Promise.reject(new Error("no agent")))).rejects.toThrow("no agent");
    expect(waits.size).toBe(0);
    expect(await only(store, "a")).toMatchObject({ owner: null });
  });

  it("says once that the store cannot be written, and tries again until it can (R-41)", async () => {
    const { order, pass, store, made, notes } = await held();
    const work = Promise.withResolvers<null>();
    const lost: unknown[] = [];
    const holding = holdLease(order, (passedOn) => {
      void passedOn.then((reason) => lost.push(reason));
      return work.promise;
    });
    await settle();
    made.fault = "disk full";
    for (const _ of [1, 2, 3]) await pass(10_000);
    expect(notes).toEqual(["The lease of this run could not be renewed (disk full). It is tried again every 10 s."]);
    made.fault = null;
    await pass(10_000);
    expect((await only(store, "a")).expiresAt).toBe(start + 40_000 + leaseMs);
    made.fault = "locked";
    await pass(10_000);
    expect([notes.length, lost.length]).toEqual([1, 0]);
    work.resolve(null);
    await holding;
  });

  it("outlasts a sleep of the machine and a clock that goes back, for nobody took it (R-44)", async () => {
    const { order, pass, clock, store, notes } = await held();
    const work = Promise.withResolvers<null>();
    const holding = holdLease(order, () => work.promise);
    await settle();
    await pass(8 * 3_600_000);
    expect((await only(store, "a")).expiresAt).toBe(start + 8 * 3_600_000 + leaseMs);
    clock.nowMs = start - 3_600_000;
    await pass(10_000);
    expect((await only(store, "a")).expiresAt).toBe(start - 3_600_000 + 10_000 + leaseMs);
    work.resolve(null);
    await holding;
    expect(notes).toEqual([]);
  });
});

/** Time stands still here: a driver that does not end shows at once. */
const boundMs = 10_000;

it(
  "ends a driver whose run was taken by another host while its turn was at work, and touches nothing of the other (R-44)",
  { timeout: boundMs },
  async () => {
    const { order, pass, clock, store, made } = await held();
    const state = newRun(plain);
    const cut: unknown[] = [];
    const driving = holdLease(order, (lost) =>
      driveRun(
        {
          clock,
          store,
          sink: { entry: () => {}, agentEvent: () => {} },
          run: { id: "a", epoch: 1 },
          perform: (_effect, signal) =>
            new Promise((resolve) =>
              signal.addEventListener("abort", () => {
                cut.push(signal.reason);
                resolve();
              }),
            ),
          onRequest: () => () => {},
          backstop: null,
          lost,
        },
        state,
        { type: "run-started" },
      ),
    );
    const ended = driving.catch((reason: unknown) => reason);
    await settle();
    made.fault = "unreachable";
    for (const _ of [1, 2, 3]) await pass(10_000);
    const taken = await store.take("a", { ...bob, host: "there" }, []);
    expect(taken).toMatchObject({ isTaken: true });
    made.fault = null;
    await pass(10_000);
    expect(await ended).toMatchObject({ code: "lost-lock" });
    expect(cut).toMatchObject([{ code: "lost-lock" }]);
    expect(await only(store, "a")).toMatchObject({ owner: { host: "there" }, state: { outcome: null } });
  },
);
