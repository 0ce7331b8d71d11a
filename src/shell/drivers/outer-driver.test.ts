import { describe, expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { ada, createRun, everyoneLives, sampleRun } from "../../../tests/contract/store-samples.ts";
import { noSpend } from "../../core/agents/spend.ts";
import { emptyReport } from "../../core/agents/turn-report.ts";
import { noClaims } from "../../core/claims/claim-report.ts";
import type { PendingEffect } from "../../core/run/effect.ts";
import type { Request } from "../../core/run/observation.ts";
import type { Policy } from "../../core/run/policy.ts";
import { newRun, type RunState } from "../../core/run/state.ts";
import type { Clock, Store } from "../ports.ts";
import { createMemoryStore, type FaultPlan } from "../stores/memory/memory-store.ts";
import { driveRun, outcomeOf } from "./outer-driver.ts";
import type { News } from "../../core/run/news.ts";
import type { Perform } from "../perform/news.ts";

/** Time does not pass by itself: a wait ends when aborted, or at once when it is a poll. */
const clock: Clock = {
  now: () => 1000,
  upMs: () => 0,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      signal.addEventListener("abort", () => resolve(false), { once: true });
      if (ms < 1000) setImmediate(() => resolve(!signal.aborted));
    }),
};

type World = {
  store: Store;
  effects: PendingEffect[];
  cut: string[];
  ask: (request: Request) => void;
  seen: string[];
  drive: (perform: Perform, first?: News) => Promise<RunState>;
};

async function world(policy: Partial<Policy> = {}, fault?: FaultPlan, id = "run-1"): Promise<World> {
  const store = createMemoryStore(fault === undefined ? {} : { fault });
  return driven(store, policy, id);
}

/** A run in a store, and everything its driver does. */
async function driven(store: Store, policy: Partial<Policy>, id: string): Promise<World> {
  const state = newRun({ ...plain, ...policy });
  const taken = await createRun(store, { ...sampleRun(id), directory: `/${id}`, state }, ada, everyoneLives);
  if (!taken.isTaken) throw new Error("not taken");
  const listeners = new Set<(request: Request) => void>();
  const made: World = {
    store,
    effects: [],
    cut: [],
    seen: [],
    ask: (request) => listeners.forEach((listener) => listener(request)),
    async drive(perform, first = { type: "run-started" }) {
      const onRequest = (listener: (request: Request) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      };
      const sink = {
        entry: (entry: { kind: string; observation?: { type: string } }) =>
          void made.seen.push(entry.observation?.type ?? ""),
        agentEvent: () => {},
      };
      const wrapped: Perform = (effect, signal, post) => {
        made.effects.push(effect);
        signal.addEventListener("abort", () => made.cut.push(effect.type));
        return perform(effect, signal, post);
      };
      const run = { id, epoch: taken.epoch };
      const backstop = {
        endProcesses: (effect: PendingEffect) => {
          made.cut.push(`processes of ${effect.type}`);
          return Promise.resolve();
        },
        abandon: () => Promise.resolve(),
        note: (_: string, text: string) => {
          made.seen.push(text);
          return Promise.resolve();
        },
      };
      try {
        return await driveRun({ clock, store, sink, perform: wrapped, run, onRequest, backstop }, state, first);
      } finally {
        if (listeners.size > 0) made.seen.push("still listening");
      }
    },
  };
  return made;
}

const claims = { ...noClaims, isPromised: true };

/** Answers every effect at once; the nth turn claims. */
function answers(claimAt: number): Perform {
  return (effect, _signal, post) => {
    const effectId = effect.id;
    if (effect.type === "begin-turn") {
      post({ type: "turn-started", effectId, pid: 7, startTime: "1" });
      const report = { ...emptyReport, exitCode: 0, claims: effect.iteration === claimAt ? claims : noClaims };
      post({ type: "turn-ended", effectId, report });
    }
    if (effect.type === "deliver")
      post({ type: "delivery-finished", effectId, isCut: false, commit: null, problem: null, spend: noSpend });
    return Promise.resolve();
  };
}

/** Starts a turn that ends only when it is cut. */
const worksUntilCut: Perform = (effect, signal, post) => {
  const effectId = effect.id;
  if (effect.type === "begin-turn") post({ type: "turn-started", effectId, pid: 7, startTime: "1" });
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      if (effect.type === "begin-turn")
        post({ type: "turn-ended", effectId, report: { ...emptyReport, isCut: true, signal: "SIGTERM" } });
      resolve();
    });
  });
};

describe("the outer driver", () => {
  it("loops until the engine ends the run, and hands every step to the sink (CB-18)", async () => {
    const run = await world();
    const state = await run.drive(answers(2));
    expect(outcomeOf(state).name).toBe("completed");
    expect(run.effects.map(({ type }) => type)).toEqual(["begin-turn", "begin-turn"]);
    expect(run.seen).toEqual(["run-started", "turn-started", "turn-ended", "turn-started", "turn-ended"]);
  });

  it("stores a step before it carries out its effects", async () => {
    const run = await world({ hasDelivery: true });
    const stored: (string | undefined)[] = [];
    await run.drive(async (effect, signal, post) => {
      const [record] = await run.store.find("run-1");
      stored.push(`${effect.type} ${record?.state.pending?.id === effect.id}`);
      return answers(1)(effect, signal, post);
    });
    expect(stored).toEqual(["begin-turn true", "deliver true"]);
  });

  it("carries out nothing that could not be stored", async () => {
    const run = await world({}, (operation) => (operation === "commit" ? "fail-before" : "ok"));
    await expect(run.drive(answers(1))).rejects.toThrow("planned before commit");
    expect(run.effects).toEqual([]);
  });

  it("ends what it had started when the store fails, and stops listening", async () => {
    let commits = 0;
    const run = await world({}, (operation) => (operation === "commit" && ++commits > 1 ? "fail-before" : "ok"));
    await expect(run.drive(worksUntilCut)).rejects.toThrow("planned before commit");
    expect(run.cut).toEqual(["begin-turn"]);
    expect(run.seen).not.toContain("still listening");
  });

  it("fails when an effect cannot even report, instead of waiting for ever", async () => {
    const run = await world();
    await expect(run.drive(() => Promise.reject(new Error("our own fault")))).rejects.toThrow("our own fault");
  });

  it("fails when requests can no longer be read", async () => {
    const run = await world({}, (operation) => (operation === "readRequests" ? "fail-before" : "ok"));
    await expect(run.drive(worksUntilCut)).rejects.toThrow("planned before readRequests");
    expect(run.cut).toEqual(["begin-turn"]);
  });

  it("cuts the effect in flight when a signal asks for it", async () => {
    const run = await world();
    const ended = run.drive((effect, signal, post) => {
      queueMicrotask(() => run.ask("interrupt-now"));
      return worksUntilCut(effect, signal, post);
    });
    expect(outcomeOf(await ended).name).toBe("interrupted");
    expect(run.cut).toEqual(["begin-turn"]);
  });

  it("hears a cancel of another command during a turn, and no later write undoes it (CB-19, R-42)", async () => {
    const run = await world();
    const state = await run.drive(async (effect, signal, post) => {
      await run.store.ask("run-1", "cancel", 5);
      return worksUntilCut(effect, signal, post);
    });
    expect(outcomeOf(state).name).toBe("cancelled");
    expect((await run.store.find("run-1"))[0]).toMatchObject({
      outcome: { name: "cancelled" },
      state: { lastRequestSeq: 1 },
    });
  });

  it("hears each request once", async () => {
    const run = await world();
    await run.store.ask("run-1", "pause", 5);
    await run.store.ask("run-1", "go-on", 6);
    await run.drive(async (effect, signal, post) => {
      for (let polls = 0; polls < 5; polls += 1) await new Promise((resolve) => setImmediate(resolve));
      return answers(1)(effect, signal, post);
    });
    expect(run.seen.filter((type) => type === "asked")).toHaveLength(2);
  });

  it("leaves other runs alone when one is cancelled (R-43)", async () => {
    const store = createMemoryStore();
    const [first, second] = [await driven(store, {}, "run-1"), await driven(store, {}, "run-2")];
    await store.ask("run-1", "cancel", 5);
    const slow: Perform = async (effect, signal, post) => {
      for (let polls = 0; polls < 5; polls += 1) await new Promise((resolve) => setImmediate(resolve));
      return answers(2)(effect, signal, post);
    };
    const [cancelled, completed] = await Promise.all([first.drive(worksUntilCut), second.drive(slow)]);
    expect([outcomeOf(cancelled).name, outcomeOf(completed).name]).toEqual(["cancelled", "completed"]);
  });

  it("returns promptly from a cancel during a wait (R-87)", async () => {
    const run = await world({ retryDelayMs: 50_000 });
    const state = await run.drive(async (effect, signal, post) => {
      if (effect.type === "set-timer") {
        await run.store.ask("run-1", "cancel", 5);
        if (await clock.wait(effect.durationMs, signal)) post({ type: "timer-fired", effectId: effect.id });
        return;
      }
      post({ type: "turn-started", effectId: effect.id, pid: 7, startTime: "1" });
      post({ type: "turn-ended", effectId: effect.id, report: { ...emptyReport, exitCode: 1 } });
    });
    expect(outcomeOf(state).name).toBe("cancelled");
    expect(run.cut).toEqual(["set-timer"]);
  });

  it("hears nothing of a run that is final", async () => {
    const run = await world();
    const done = await run.drive(answers(1));
    const again = await driveRun(
      {
        clock,
        store: run.store,
        sink: { entry: () => {}, agentEvent: () => {} },
        perform: answers(1),
        run: { id: "run-1", epoch: 1 },
        onRequest: () => () => {},
        backstop: null,
      },
      done,
      { type: "run-resumed", lostSpend: null, answer: null, change: {}, missed: null, begin: null },
    );
    expect(again).toBe(done);
  });

  it("knows no outcome of a run that goes on", () => expect(() => outcomeOf(newRun(plain))).toThrow("has not ended"));
});
