import { describe, expect, it } from "vitest";
import { unknownContract } from "../../src/core/contract/session-checks.ts";
import type { NativeVerdict } from "../../src/core/session/stops/native-stops.ts";
import { redVerdict } from "../../src/core/session/read-verdicts.ts";
import type { SessionMessage } from "../../src/core/session/session-message.ts";
import { passNativeStop } from "../../src/shell/drivers/session/native-pass.ts";
import type { StopEnd } from "../../src/core/session/stops/stop-end.ts";
import { passStop } from "../../src/shell/drivers/session/stop-pass.ts";
import { storeLoop } from "../../src/shell/drivers/session/store-loop.ts";
import type { SessionChecks } from "../../src/shell/sessions/session-host.ts";
import type { SessionStore } from "../../src/shell/sessions/session-store.ts";
import { createFakeClock, type FakeClock } from "../session/fake-clock.ts";
import { createRandom, type Random } from "../simulation/random.ts";
import { createMemorySessions } from "./memory-sessions.ts";

const firstSeed = Number(process.env["RALPH_SESSION_SEED"] ?? 20261116);
const runs = Number(process.env["RALPH_SESSION_RUNS"] ?? 400);

/** More stops than any session here has: a hook that dies is asked again. */
const stopsMax = 200;
const sessionId = "s1";
const maxIterations = 6;

/** A hook that is killed: nothing after this moment happens. */
class Death extends Error {}

/** A store whose hook is killed before or after some of its changes. */
function mortal(store: SessionStore, random: Random): SessionStore {
  const mayDie = (): void => {
    if (random.chance(0.15)) throw new Death();
  };
  return {
    ...store,
    change: (id, step, kind) => {
      mayDie();
      const isStored = store.change(id, step, kind);
      mayDie();
      return isStored;
    },
  };
}

type World = { random: Random; clock: FakeClock; store: SessionStore; isGreen: boolean; checks: SessionChecks };

function openWorld(seed: number): World & { problem(): string | null } {
  const random = createRandom(seed);
  const memory = createMemorySessions();
  const run: SessionChecks["run"] = () => {
    world.isGreen = false;
    if (random.chance(0.1)) throw new Error("the checks broke");
    world.isGreen = random.chance(0.4);
    return Promise.resolve([{ ...redVerdict(random.chance(0.5) ? "red" : "rot"), isPassed: world.isGreen }]);
  };
  const clock = createFakeClock(Date.UTC(2026, 10, 16));
  const world: World = { random, clock, store: mortal(memory, random), isGreen: false, checks: { count: 1, run } };
  return Object.assign(world, { problem: () => memory.journalProblem() });
}

/** The host asks again until a hook lives to answer. */
async function asked<Answer>(hook: () => Promise<Answer>): Promise<Answer> {
  for (let times = 0; times < stopsMax; times += 1)
    try {
      return await hook();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
    }
  throw new Error("no hook lived to answer");
}

async function playLoop(world: World): Promise<{ end: StopEnd; isClaimed: boolean; prompts: string[] }> {
  const { random, clock, store, checks } = world;
  const startedAt = new Date(clock.now()).toISOString();
  const loop = { active: true, iteration: 1, maxIterations, completionPromise: "DONE", startedAt, prompt: "Fix it" };
  const given = { directory: "/p", host: "h", continuationDelay: 0, criterionCount: 1, mark: 0 };
  await asked(async () => {
    if (store.read(sessionId) === null) storeLoop({ store, clock }, { ...loop, sessionId }, given);
  });
  const messages: SessionMessage[] = [];
  const prompts: string[] = [];
  // A stop that waits for other work ends no iteration: what was claimed before it still counts.
  let isClaimed = false;
  for (let stops = 0; stops < stopsMax; stops += 1) {
    const isClaim = random.chance(0.4);
    isClaimed ||= isClaim;
    messages.push({ role: "assistant", content: isClaim ? "<promise>DONE</promise>" : "Working." });
    const hasWork = random.chance(0.1);
    const end = await asked(async (): Promise<StopEnd | null> => {
      const record = store.read(sessionId);
      const place = { sessionId, store, clock, checks, messages: [...messages], hasWork, hasChanged: () => true };
      return record === null ? null : passStop(place, record);
    });
    if (end === null) return { end: { kind: "gone", loop: { ...loop, sessionId } }, isClaimed, prompts };
    if (end.kind === "ended") return { end, isClaimed, prompts };
    if (end.kind !== "sent-back") continue;
    isClaimed = false;
    prompts.push(end.prompt);
    messages.push({ role: "user", content: end.prompt });
  }
  throw new Error("the loop never ends");
}

function headingOf(prompt: string): string {
  return prompt.split("\n")[0] ?? "";
}

async function playStops(world: World): Promise<{ verdict: NativeVerdict; isGreen: boolean }[]> {
  const { clock, store, checks } = world;
  const start = { sessionId, directory: "/p", host: "h", criterionCount: 1, contract: unknownContract };
  const place = { store, clock, checks, start, signal: new AbortController().signal };
  const seen: { verdict: NativeVerdict; isGreen: boolean }[] = [];
  for (let stops = 0; stops < 12; stops += 1) {
    const verdict = await asked(() => passNativeStop(place));
    if (verdict === null) throw new Error("a stop was not stored");
    seen.push({ verdict, isGreen: world.isGreen });
  }
  return seen;
}

describe("hooks that are killed around every step", () => {
  it("leave a loop whose journal leads to its state, and that ends as it must", async () => {
    const reached = { completed: 0, exhausted: 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const world = openWorld(seed);
      const { end, isClaimed, prompts } = await playLoop(world);
      expect({ seed, twice: prompts.length - new Set(prompts.map(headingOf)).size }).toEqual({ seed, twice: 0 });
      const isCompleted = end.kind === "ended" && end.outcome.name === "completed";
      const isEarned = !isCompleted || (isClaimed && world.isGreen);
      expect({ seed, isEarned }).toEqual({ seed, isEarned: true });
      expect({ seed, problem: world.problem() }).toEqual({ seed, problem: null });
      expect(end.loop.iteration).toBeLessThanOrEqual(maxIterations);
      reached.completed += Number(isCompleted);
      reached.exhausted += Number(end.kind === "ended" && end.outcome.name === "exhausted");
    }
    expect(Object.values(reached).every((times) => times > 0)).toBe(true);
  }, 120_000);

  it("leave a session without a loop whose stops end only when they are green, or given up", async () => {
    const reached = { verified: 0, unverified: 0, refused: 0, "given-up": 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const world = openWorld(seed);
      for (const { verdict, isGreen } of await playStops(world)) {
        reached[verdict.kind] += 1;
        expect({ seed, isEarned: verdict.kind !== "verified" || isGreen }).toEqual({ seed, isEarned: true });
      }
      expect({ seed, problem: world.problem() }).toEqual({ seed, problem: null });
    }
    expect(reached.verified > 0 && reached.refused > 0).toBe(true);
  }, 120_000);
});
