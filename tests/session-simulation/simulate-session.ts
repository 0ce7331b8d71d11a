import type { LogLine } from "../../src/core/session/loop/loop-notice.ts";
import type { SessionMessage } from "../../src/core/session/session-message.ts";
import type { Clock } from "../../src/shell/ports.ts";
import type { SessionStore } from "../../src/shell/sessions/session-store.ts";
import {
  createRalphLoopHook,
  type RalphLoopHook,
  type RalphLoopHookOptions,
} from "../../src/surfaces/hooks/loop/loop-hook.ts";
import { createFakeClock, type FakeClock } from "../session/fake-clock.ts";
import { createRandom, type Random } from "../simulation/random.ts";
import { createMemorySessions, type MemorySessions } from "./memory-sessions.ts";

/** Ports made worse, to show that an invariant sees it. */
export type PlantedFault = {
  store?: (store: SessionStore) => SessionStore;
  clock?: (clock: Clock) => Clock;
  host?: (options: RalphLoopHookOptions) => RalphLoopHookOptions;
};

/** Everything that happened to one loop, in order. */
export type SessionTrace = {
  maxIterations: number;
  happened: Happened[];
  isActiveAtEnd: boolean;
  /** Where the journal does not fold to the stored state. */
  journalProblem: string | null;
};

export type Happened =
  | { type: "prompted"; iteration: number }
  | { type: "claimed"; iteration: number }
  | { type: "ended-by-person" }
  | { type: "completed"; iteration: number }
  | { type: "logged"; text: string }
  | { type: "restarted" };

const session = "s1";
const claim = "All done. <promise>DONE</promise>";

/** One loop in a host that repeats, delays and reorders its events, loses prompts and restarts; by a seed. */
export async function simulateSession(seed: number, fault: PlantedFault = {}): Promise<SessionTrace> {
  const world = openWorld(seed, fault);
  const { random, clock } = world;
  world.hook.startLoop(session, "Fix it", { maxIterations: world.trace.maxIterations });
  await clock.calm();
  beginTurn(world, "Fix it");
  for (let count = random.below(5); count > 0; count -= 1) planDisturbance(world);
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const next = world.plan.shift();
    if (next === undefined) break;
    await clock.pass(Math.max(0, next.dueMs - clock.upMs()));
    next.act();
    await clock.calm();
    // What the hook waits for may bring new acts of the agent.
    if (world.plan.length === 0) await clock.pass(settleMs);
  }
  world.trace.isActiveAtEnd = world.hook.isLoopActive(session);
  world.trace.journalProblem = world.sessions.journalProblem();
  world.hook.dispose();
  return world.trace;
}

/** More acts than any loop of six iterations has; a world that never calms down is a fault of its own. */
const stepsMax = 400;

/** Longer than every wait of a loop but the hour after which background work is no longer waited for. */
const settleMs = 180_000;

type World = {
  random: Random;
  clock: FakeClock;
  hook: RalphLoopHook;
  make: () => RalphLoopHook;
  sessions: MemorySessions;
  messages: SessionMessage[];
  plan: { dueMs: number; act: () => void }[];
  trace: SessionTrace;
  iteration: number;
  isWorking: boolean;
};

function openWorld(seed: number, fault: PlantedFault): World {
  const random = createRandom(seed);
  const clock = createFakeClock(Date.UTC(2026, 10, 15));
  const memory = createMemorySessions();
  const store = fault.store?.(memory) ?? memory;
  const trace: SessionTrace = {
    maxIterations: 1 + random.below(6),
    happened: [],
    isActiveAtEnd: false,
    journalProblem: null,
  };
  const messages: SessionMessage[] = random.chance(0.3) ? [{ role: "assistant", content: claim }] : [];
  const world = {
    random,
    clock,
    messages,
    plan: [],
    trace,
    sessions: memory,
    iteration: 1,
    isWorking: false,
  } as unknown as World;
  const options: RalphLoopHookOptions = {
    workdir: "/p",
    store,
    clock: fault.clock?.(clock) ?? clock,
    getMessages: () => (random.chance(0.05) ? Promise.reject(new Error("no answer")) : Promise.resolve([...messages])),
    injectPrompt: (_sessionId, prompt) => takePrompt(world, prompt),
    log: (line) => note(world, line),
  };
  world.make = () => createRalphLoopHook(fault.host?.(options) ?? options);
  world.hook = world.make();
  return world;
}

/** Prompts arrive, late or never; a host may forget to answer either way. */
function takePrompt(world: World, prompt: string): Promise<unknown> {
  const { random } = world;
  if (random.chance(0.03)) return Promise.reject(new Error("no such session"));
  if (random.chance(0.03)) return new Promise(() => {});
  const iteration = Number(/ITERATION (\d+)\//.exec(prompt)?.[1] ?? Number.NaN);
  world.trace.happened.push({ type: "prompted", iteration });
  world.iteration = iteration;
  beginTurn(world, prompt);
  return random.chance(0.1) ? new Promise(() => {}) : Promise.resolve();
}

/** The agent works, speaks or fails, and the host says idle: at least once, perhaps again, perhaps late. */
function beginTurn(world: World, prompt: string): void {
  const { random, messages } = world;
  messages.push({ role: "user", content: prompt });
  world.isWorking = true;
  const workMs = 100 + random.below(20_000);
  if (random.chance(0.15)) later(world, random.below(workMs), () => hostError(world));
  later(world, workMs, () => {
    if (random.chance(0.9)) speak(world);
    world.isWorking = false;
    sayIdle(world, random.below(3000));
    if (random.chance(0.3)) sayIdle(world, random.below(1500));
    if (random.chance(0.1)) sayIdle(world, 3000 + random.below(9000));
  });
}

function speak(world: World): void {
  const { random, messages, trace, iteration } = world;
  const isClaim = random.chance(0.2);
  const other = random.pick([
    "I tried.",
    "I will not output <promise>DONE</promise> yet.",
    "<promise>ALMOST</promise>",
    "DONE",
  ]);
  if (isClaim) trace.happened.push({ type: "claimed", iteration });
  messages.push({ role: "assistant", content: isClaim ? claim : other });
}

function planDisturbance(world: World): void {
  const { random } = world;
  const disturbances: (() => void)[] = [
    () => hostError(world),
    () => sayIdle(world, 0),
    () => restart(world),
    () => personSpeaks(world),
    () => endByPerson(world, () => world.hook.cancelLoop(session)),
    () => endByPerson(world, () => tell(world, "session.error", { error: { name: "AbortError" } })),
    () => endByPerson(world, () => tell(world, "session.deleted", { sessionId: session })),
  ];
  const disturb = random.pick(disturbances);
  later(world, random.below(90_000), disturb);
}

function hostError(world: World): void {
  tell(world, "session.error", { error: { name: "APIError", message: "overloaded" } });
}

function personSpeaks(world: World): void {
  if (!world.isWorking) beginTurn(world, "Look at this first.");
}

function endByPerson(world: World, end: () => void): void {
  if (!world.hook.isLoopActive(session)) return;
  end();
  world.trace.happened.push({ type: "ended-by-person" });
}

/** Waits die with the process; the session is opened again and idle, unless its agent still works. */
function restart(world: World): void {
  world.hook.dispose();
  world.hook = world.make();
  world.trace.happened.push({ type: "restarted" });
  if (!world.isWorking) sayIdle(world, 1000 + world.random.below(4000));
}

function sayIdle(world: World, delayMs: number): void {
  later(world, delayMs, () => {
    // A host that works does not say idle but by an old event, and those are over after some seconds.
    tell(world, "session.idle", {});
  });
}

function tell(world: World, event: string, data: unknown): void {
  void world.hook.handler({ event, sessionId: session, data });
}

function later(world: World, delayMs: number, act: () => void): void {
  const dueMs = world.clock.upMs() + delayMs;
  const at = world.plan.findIndex((planned) => planned.dueMs > dueMs);
  world.plan.splice(at < 0 ? world.plan.length : at, 0, { dueMs, act });
}

function note({ trace }: World, { text, fields }: LogLine): void {
  if (text.endsWith("Completion detected!"))
    trace.happened.push({ type: "completed", iteration: Number(fields["iteration"]) });
  else trace.happened.push({ type: "logged", text });
}
