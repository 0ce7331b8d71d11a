import type { ProcessEnd, ProcessOrder, Processes, ProcessStart, RunningProcess } from "../../src/shell/ports.ts";
import type { Act } from "./agent-acts.ts";
import type { Random } from "./random.ts";
import { type Life, never, type World } from "./world.ts";

/** A machine's processes. They outlive the program that started them. */
export type ProcessWorld = {
  /** The port as one life of the program sees it. */
  port(life: Life): Processes;
  living(): { pid: number; turnMarker: string; isAgent: boolean }[];
};

/** What the programs of a machine do. */
export type ProcessStage = {
  /** What an agent does in the turn that is started; null: the order starts no turn. */
  turnAct(order: ProcessOrder): Act | null;
  /** What any other program says. */
  toolAct(order: ProcessOrder): Act;
  /** A turn really began. */
  onTurn(act: Act): void;
  /** Turns that may be alive at once. */
  turnsMax: number;
};

type Fake = { pid: number; turnMarker: string; isAgent: boolean; kill: () => void };

/** Processes that act as the stage says. */
export function createProcessWorld(world: World, random: Random, stage: ProcessStage): ProcessWorld {
  const living = new Map<number, Fake>();
  let nextPid = 100;
  const port = (life: Life): Processes => ({
    start: (order) => (life.isOver ? never() : Promise.resolve(start(order, life))),
    isAlive: ({ pid }) => living.has(pid),
    self: () => Promise.resolve({ pid: life.pid, startTime: "1" }),
    runOnTerminal: () => Promise.resolve({ isStarted: false, message: "there is no terminal" }),
    endLeftovers: (turnMarker) => {
      if (life.isOver) return never();
      const left = [...living.values()].filter(
        (each) => each.turnMarker === turnMarker || each.turnMarker.startsWith(`${turnMarker}/`),
      );
      for (const each of left) each.kill();
      return Promise.resolve({ ended: left.length, survivors: [] });
    },
  });
  const start = (order: ProcessOrder, life: Life): ProcessStart => {
    requirePurpose(order);
    const act = stage.turnAct(order);
    if (act === null) return { isStarted: true, process: launch(order, life, { act: stage.toolAct(order) }) };
    if (act.startFailure !== undefined)
      return { isStarted: false, kind: act.startFailure, message: `claude: ${act.startFailure}` };
    const rivals = [...living.values()].filter((each) => each.isAgent);
    if (rivals.length >= stage.turnsMax)
      throw new Error(
        `${rivals.length + 1} turns alive: ${[...rivals, order].map(({ turnMarker }) => turnMarker).join(" and ")}`,
      );
    stage.onTurn(act);
    return { isStarted: true, process: launch(order, life, { act, isAgent: true }) };
  };
  const launch = (order: ProcessOrder, life: Life, { act, isAgent = false }: { act: Act; isAgent?: boolean }) => {
    const pid = nextPid++;
    return createFakeProcess({ world, random, order, life, act, pid, isAgent, living, newPid: () => nextPid++ });
  };
  return {
    port,
    living: () => Array.from(living.values(), ({ pid, turnMarker, isAgent }) => ({ pid, turnMarker, isAgent })),
  };
}

/** A sandbox decides by the purpose alone: it must fit what is started. */
function requirePurpose({ argv: [program = ""], purpose }: ProcessOrder): void {
  const isGit = program === "git" || program.endsWith("/git");
  const ofTools = isGit ? ["git", "delivery"] : ["check", "delivery", "tool"];
  const fitting = program === "claude" ? ["agent", "judge"] : ofTools;
  if (!fitting.includes(purpose)) throw new Error(`${program} is started as ${purpose}`);
}

/** A call for a commit message is the agent in text mode: not a turn. */
export function isTurn({ argv }: ProcessOrder): boolean {
  return argv[0] === "claude" && !argv.includes("text");
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
  living.set(pid, {
    pid,
    turnMarker: order.turnMarker,
    isAgent: options.isAgent,
    kill: () => end({ signal: "SIGKILL" }),
  });
  if (act.leavesChild === true && random.chance(0.5)) leaveChild(options);
  if (order.wallMs !== null) stops.push(world.after(order.wallMs, life, () => endBySignal({ timedOut: "wall" })));
  armIdle();
  speak(options, {
    isGone: () => isGone,
    heard: armIdle,
    finished: () => {
      if (act.hangs === true || act.lingers === true) return;
      if (!life.isOver && !isCut) act.onEnd?.();
      end({ exitCode: act.exitCode ?? 0 });
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
  living.set(pid, { pid, turnMarker: order.turnMarker, isAgent: false, kill });
  world.after(2, null, kill);
}

/** Writes the act's lines in pieces of any size, some of them cutting a line or a character in two. */
function speak(options: FakeOptions, hooks: { isGone: () => boolean; heard: () => void; finished: () => void }): void {
  const { world, random, order, life, act } = options;
  let bytes = Buffer.alloc(0);
  const begin = (): void => {
    if (hooks.isGone()) return;
    act.does?.();
    const lines = act.lines(random).map((line) => `${line}\n`);
    bytes = Buffer.from(lines.join(""));
    step(0);
  };
  const step = (from: number): void => {
    if (hooks.isGone()) return;
    if (from >= bytes.length) return hooks.finished();
    const to = Math.min(bytes.length, from + 1 + random.below(4000));
    if (!life.isOver) {
      void order.onStdout(bytes.subarray(from, to));
      hooks.heard();
    }
    // Tools print what they have and end; there are many of them.
    if (!options.isAgent && to === bytes.length) return hooks.finished();
    world.after(random.below(2000), null, () => step(to));
  };
  // Tools are fast, else a repair of many calls would take longer than a person who cancels is made to wait.
  world.after(1 + random.below(options.isAgent ? 500 : 50), null, begin);
}
