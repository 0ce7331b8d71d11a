import type { ProcessEnd, ProcessOrder, Processes, ProcessStart, RunningProcess } from "../../src/shell/ports.ts";
import { type Act, chooseAct } from "./agent-acts.ts";
import type { Random } from "./random.ts";
import { type Life, never, type World } from "./world.ts";

/** What is true in the simulated project, whatever the agent says. */
export type Truth = {
  /** The work is really done: guardrails pass. */
  isFixed: boolean;
  /** The act of the turn at work or the last one. */
  lastAct: Act | null;
  actNames: Set<string>;
};

/** A machine's processes. They outlive the program that started them. */
export type ProcessWorld = {
  truth: Truth;
  /** The port as one life of the program sees it. */
  port(life: Life): Processes;
  living(): { pid: number; marker: string }[];
};

type Fake = { pid: number; marker: string; isAgent: boolean; kill: () => void };

/** Agents act by the seed; guardrails and git tell the truth. */
export function createProcessWorld(world: World, random: Random): ProcessWorld {
  const living = new Map<number, Fake>();
  const truth: Truth = { isFixed: false, lastAct: null, actNames: new Set() };
  let nextPid = 100;
  const port = (life: Life): Processes => ({
    start: (order) => (life.isOver ? never() : Promise.resolve(start(order, life))),
    isAlive: ({ pid }) => living.has(pid),
    self: () => Promise.resolve({ pid: life.pid, startTime: "1" }),
    endLeftovers: (marker) => {
      if (life.isOver) return never();
      const left = [...living.values()].filter((each) => each.marker === marker);
      for (const each of left) each.kill();
      return Promise.resolve({ ended: left.length, survivors: [] });
    },
  });
  const start = (order: ProcessOrder, life: Life): ProcessStart => {
    if (!isTurn(order)) return { isStarted: true, process: launch(order, life, toolAct(order, truth)) };
    const act = chooseAct(random);
    truth.actNames.add(act.name);
    if (act.startFailure !== undefined)
      return { isStarted: false, kind: act.startFailure, message: `claude: ${act.startFailure}` };
    const rival = [...living.values()].find((each) => each.isAgent);
    if (rival !== undefined) throw new Error(`two turns alive: ${rival.marker} and ${order.marker}`);
    truth.lastAct = act;
    // Half of the wrong turns spoil what was right before: green must be earned in the same iteration.
    if (act.works === true) truth.isFixed = true;
    else if (random.chance(0.3)) truth.isFixed = false;
    return { isStarted: true, process: launch(order, life, act) };
  };
  const launch = (order: ProcessOrder, life: Life, act: Act): RunningProcess => {
    const pid = nextPid++;
    const isAgent = isTurn(order);
    return createFakeProcess({ world, random, order, life, act, pid, isAgent, living, newPid: () => nextPid++ });
  };
  return { truth, port, living: () => [...living.values()].map(({ pid, marker }) => ({ pid, marker })) };
}

/** A call for a commit message is the agent in text mode: not a turn. */
function isTurn({ argv }: ProcessOrder): boolean {
  return argv[0] === "claude" && !argv.includes("text");
}

/** A guardrail is green when the work is really done. Git says then that there is something to commit. */
function toolAct(order: ProcessOrder, truth: Truth): Act {
  const words = order.argv.join(" ");
  if (words.startsWith("sh -c"))
    return { name: "guardrail", lines: () => ["checked"], exitCode: truth.isFixed ? 0 : 1 };
  if (words.startsWith("git status")) {
    const changed = truth.isFixed ? "1 M. N... 100644 100644 100644 a b file\0" : "";
    return { name: "git", lines: () => [`# branch.oid 0123456789abcdef\0${changed}`], exitCode: 0 };
  }
  return { name: "tool", lines: () => ["0123456789abcdef"], exitCode: 0 };
}

type FakeOptions = {
  world: World;
  random: Random;
  order: ProcessOrder;
  life: Life;
  act: Act;
  pid: number;
  isAgent: boolean;
  living: Map<number, Fake>;
  newPid: () => number;
};

function createFakeProcess(options: FakeOptions): RunningProcess {
  const { world, random, order, life, act, pid, living } = options;
  const startedMs = world.upMs();
  let settle: (end: ProcessEnd) => void = () => {};
  const ended = new Promise<ProcessEnd>((resolve) => {
    settle = resolve;
  });
  const stops: (() => void)[] = [];
  let isGone = false;
  let isCut = false;
  let idleStop: () => void = () => {};
  let graceMs: number | null = null;
  const end = (facts: Partial<ProcessEnd>): void => {
    if (isGone) return;
    isGone = true;
    for (const stop of [...stops, idleStop]) stop();
    living.delete(pid);
    const none = { exitCode: null, signal: null, timedOut: null, isForced: false, leftoverCount: 0, survivors: [] };
    if (!life.isOver) settle({ ...none, isCut, durationMs: world.upMs() - startedMs, ...facts });
  };
  const isStubborn = random.chance(0.2);
  const endBySignal = (facts: Partial<ProcessEnd>): void => {
    if (isGone) return;
    stops.push(
      world.after(isStubborn ? order.killGraceMs : 5, null, () =>
        end({ signal: "SIGTERM", isForced: isStubborn, ...facts }),
      ),
    );
  };
  const armIdle = (): void => {
    idleStop();
    const limitMs = graceMs ?? order.idleMs;
    if (limitMs !== null)
      idleStop = world.after(limitMs, life, () => endBySignal(graceMs === null ? { timedOut: "idle" } : {}));
  };
  living.set(pid, { pid, marker: order.marker, isAgent: options.isAgent, kill: () => end({ signal: "SIGKILL" }) });
  if (act.leavesChild === true && random.chance(0.5)) leaveChild(options);
  if (order.wallMs !== null) stops.push(world.after(order.wallMs, life, () => endBySignal({ timedOut: "wall" })));
  armIdle();
  speak(options, {
    isGone: () => isGone,
    heard: armIdle,
    finished: () => {
      if (act.hangs !== true && act.lingers !== true) end({ exitCode: act.exitCode ?? 0 });
    },
  });
  return {
    identity: { pid, startTime: "1" },
    ended,
    cut() {
      if (isCut || isGone || life.isOver) return;
      isCut = true;
      endBySignal({});
    },
    endAfterSilence(ms) {
      graceMs = ms;
      armIdle();
    },
  };
}

/** A child that a real process port would sweep when its parent ends; here it dies with the sweep of its parent. */
function leaveChild({ world, order, living, newPid }: FakeOptions): void {
  const pid = newPid();
  const kill = (): void => void living.delete(pid);
  living.set(pid, { pid, marker: order.marker, isAgent: false, kill });
  world.after(2, null, kill);
}

/** Writes the act's lines in pieces of any size, some of them cutting a line or a character in two. */
function speak(options: FakeOptions, hooks: { isGone: () => boolean; heard: () => void; finished: () => void }): void {
  const { world, random, order, life, act } = options;
  const bytes = Buffer.from(
    act
      .lines(random)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const step = (from: number): void => {
    if (hooks.isGone()) return;
    if (from >= bytes.length) return hooks.finished();
    const to = Math.min(bytes.length, from + 1 + random.below(4000));
    if (!life.isOver) {
      void order.onStdout(bytes.subarray(from, to));
      hooks.heard();
    }
    world.after(random.below(2000), null, () => step(to));
  };
  world.after(1 + random.below(500), null, () => step(0));
}
