import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ada, createRun, everyoneLives, sampleRun } from "../../../tests/contract/store-samples.ts";
import { listAnswer, policyOf, type Shape } from "../../../tests/engine/play.ts";
import { noSpend } from "../../core/agents/spend.ts";
import { emptyReport } from "../../core/agents/turn-report.ts";
import type { PendingEffect } from "../../core/run/effect.ts";
import type { Request } from "../../core/run/observation.ts";
import { newRun, type RunState } from "../../core/run/state.ts";
import { realClock } from "../lib/real-clock.ts";
import { createMemoryStore } from "../stores/memory/memory-store.ts";
import { driveRun } from "./outer-driver.ts";
import type { News } from "../../core/run/news.ts";
import type { Perform } from "../perform/news.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

type Told = {
  ask: (request: Request) => void;
  post: (news: News) => void;
  state: () => RunState | null;
  notes: string[];
  ended: PendingEffect["type"][];
};

/** Drives a run whose effects of these types never answer, not even a cut; all others answer at once. */
async function drive(shape: Shape, hung: PendingEffect["type"][], onKill?: Perform): Promise<Told> {
  const store = createMemoryStore();
  const state = newRun(policyOf(shape));
  const taken = await createRun(store, { ...sampleRun("run-1"), state }, ada, everyoneLives);
  if (!taken.isTaken) throw new Error("not taken");
  const told: Told = { ask: () => {}, post: () => {}, state: () => null, notes: [], ended: [] };
  const perform: Perform = (effect, signal, post) => {
    told.post = post;
    if (effect.type === "begin-turn") post({ type: "turn-started", effectId: effect.id, pid: 7, startTime: "1" });
    if (hung.includes(effect.type)) return new Promise(() => {});
    return answer(effect, signal, post);
  };
  const ending = driveRun(
    {
      clock: realClock,
      store,
      sink: { entry: () => {}, agentEvent: () => {} },
      perform,
      run: { id: "run-1", epoch: taken.epoch },
      onRequest: (listener) => {
        told.ask = listener;
        return () => {};
      },
      backstop: {
        endProcesses: async (effect) => {
          told.ended.push(effect.type);
          await onKill?.(effect, new AbortController().signal, told.post);
        },
        abandon: () => Promise.resolve(),
        note: (_, text) => Promise.resolve(void told.notes.push(text)),
      },
    },
    state,
    { type: "run-started" },
  );
  void ending.then((end) => (told.state = () => end));
  await vi.advanceTimersByTimeAsync(100);
  return told;
}

const answer: Perform = (effect, _signal, post) => {
  const effectId = effect.id;
  const exitCode = 1;
  if (effect.type === "begin-turn") post({ type: "turn-ended", effectId, report: { ...emptyReport, exitCode } });
  if (effect.type === "run-gate") post({ type: "gate-finished", effectId, ...listAnswer({}) });
  return Promise.resolve();
};

const spend = { ...noSpend, inputTokens: 11 };

describe("an operation that does not answer its cut", () => {
  it.each<[PendingEffect["type"], Shape, string]>([
    ["begin-turn", {}, "The turn"],
    ["run-gate", { guardrails: 1 }, "A check"],
    ["deliver", { hasDelivery: true }, "The delivery"],
  ])("is abandoned within 5 seconds of a second signal or a cancel: %s (R-84, R-42)", async (type, policy, name) => {
    for (const [request, outcome] of [
      ["interrupt-now", "interrupted"],
      ["cancel", "cancelled"],
    ] as const) {
      const run = await drive(policy, [type]);
      run.ask(request);
      await vi.advanceTimersByTimeAsync(5000);
      expect(run.state()?.outcome?.name).toBe(outcome);
      expect(run.notes).toEqual([`${name} did not end in time and was abandoned.`]);
      expect(run.ended).toEqual([type]);
    }
  });

  it("keeps what the turn is known to have used", async () => {
    const run = await drive({}, ["begin-turn"]);
    run.post({ type: "turn-progressed", effectId: 1, spend, sessionId: "s1" });
    run.ask("cancel");
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.state()).toMatchObject({ spend, sessionId: "s1" });
  });

  it("may still answer by itself once its processes were killed", async () => {
    const run = await drive({}, ["begin-turn"], (effect, _signal, post) => {
      post({ type: "turn-ended", effectId: effect.id, report: { ...emptyReport, spend, isCut: true } });
      return Promise.resolve();
    });
    run.ask("cancel");
    await vi.advanceTimersByTimeAsync(8000);
    expect(run.state()).toMatchObject({ spend, outcome: { name: "cancelled" } });
    expect(run.notes).toEqual([]);
  });

  it("is followed by the repair of the task list, which is abandoned too and stays to be done (R-42)", async () => {
    const run = await drive({ hasTasks: true }, ["begin-turn", "run-gate"]);
    run.ask("cancel");
    await vi.advanceTimersByTimeAsync(4000);
    // The turn's own answer comes late; it was given up.
    run.post({ type: "turn-ended", effectId: 1, report: { ...emptyReport, spend } });
    await vi.advanceTimersByTimeAsync(2000);
    expect(run.state()).toMatchObject({ outcome: { name: "cancelled" }, dueGates: ["task-list"], spend: noSpend });
    expect(run.ended).toEqual(["begin-turn", "run-gate"]);
  });

  it("is waited for longer when a budget cut it, until somebody asks", async () => {
    const run = await drive({ budgetTokens: 10 }, ["begin-turn"]);
    run.post({ type: "turn-progressed", effectId: 1, spend, sessionId: null });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(run.state()).toBeNull();
    run.ask("cancel");
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.state()?.outcome?.name).toBe("cancelled");
  });

  it("does not keep the driver when the run ended without it", async () => {
    const run = await drive({ retryDelayMs: 60_000, failuresMax: null }, ["set-timer"]);
    run.ask("cancel");
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.state()?.outcome?.name).toBe("cancelled");
  });
});
