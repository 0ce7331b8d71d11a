import type { ProcessEnd, ProcessOrder, Processes, ProcessStart, RunningProcess } from "../../src/shell/ports.ts";
import type { LivenessWorld } from "../../src/shell/supervise/records/run-liveness.ts";
import type { Random } from "./random.ts";
import { type ChildAct, chooseTaskAct, type TaskAct } from "./supervised-acts.ts";
import { type Life, never, type World } from "./world.ts";

/** A process of the simulated machine; each leads a group of its own. */
export type FakeProcess = {
  pid: number;
  parentPid: number;
  turnMarker: string;
  startTime: string;
  startedAt: number;
  kind: "agent" | "child" | "stranger";
  /** It has a readable record of its own. */
  isRegistered: boolean;
  /** What happens to it when it is killed, or ends. */
  onGone: () => void;
};

/** The processes of a machine on which one task is supervised. They outlive the program. */
export type TaskProcesses = {
  port(life: Life): Processes;
  liveness: LivenessWorld;
  living(): FakeProcess[];
  remove(process: FakeProcess): void;
  /** The act of every agent that was started, in order. */
  started: string[];
  /** What was tried, starts that failed among it. */
  actNames: Set<string>;
  /** Somebody else's process, there before the run. */
  stranger: FakeProcess;
};

/** What agents and children do to the disk and the bus. */
export type TaskStage = {
  act(agent: FakeProcess, order: ProcessOrder, act: TaskAct, start: StartChild): void;
  isLifeAlive(pid: number): boolean;
};

/** Starts a child of a process and returns it. */
export type StartChild = (parent: FakeProcess, act: ChildAct) => FakeProcess;

/** Agents act by the seed; signals, groups and leftovers are as the process port promises. */
export function createTaskProcesses(world: World, random: Random, stage: TaskStage): TaskProcesses {
  const table = new Map<number, FakeProcess>();
  const started: string[] = [];
  const actNames = new Set<string>();
  let nextPid = 1000;
  const add = (fields: Pick<FakeProcess, "parentPid" | "turnMarker" | "kind" | "isRegistered">): FakeProcess => {
    const pid = nextPid++;
    const process = { ...fields, pid, startTime: `t${pid}`, startedAt: world.now(), onGone: () => {} };
    table.set(pid, process);
    return process;
  };
  const remove = (process: FakeProcess): void => {
    if (table.delete(process.pid)) process.onGone();
  };
  const startChild: StartChild = ({ pid, turnMarker }, { record }) =>
    add({ parentPid: pid, turnMarker, kind: "child", isRegistered: record === "proper" });
  const stranger = add({ parentPid: 1, turnMarker: "", kind: "stranger", isRegistered: false });
  const sweep = (isMeant: (process: FakeProcess) => boolean, exempt: ReadonlySet<number>): number => {
    const left = [...table.values()].filter((process) => isMeant(process) && !isWithin(process, exempt, table));
    for (const process of left) remove(process);
    return left.length;
  };
  const start = (order: ProcessOrder, life: Life): ProcessStart => {
    const act = chooseTaskAct(random);
    actNames.add(act.name);
    if (act.startFailure !== undefined)
      return { isStarted: false, kind: act.startFailure, message: `agent: ${act.startFailure}` };
    const rival = [...table.values()].find(({ kind }) => kind === "agent");
    if (rival !== undefined) throw new Error(`two turns alive: ${rival.turnMarker} and ${order.turnMarker}`);
    started.push(act.name);
    const agent = add({ parentPid: life.pid, turnMarker: order.turnMarker, kind: "agent", isRegistered: false });
    const ending = { order, life, act, agent, remove: () => remove(agent), sweep };
    const process = runAgent(world, random, ending);
    const actMs = 1 + random.below(2000);
    world.after(actMs, null, () => {
      if (table.has(agent.pid)) stage.act(agent, order, act, startChild);
    });
    return { isStarted: true, process };
  };
  const port = (life: Life): Processes => ({
    start: (order) => (life.isOver ? never() : Promise.resolve(start(order, life))),
    isAlive: ({ pid }) => table.has(pid) || stage.isLifeAlive(pid),
    self: () => Promise.resolve({ pid: life.pid, startTime: "1" }),
    runOnTerminal: () => Promise.resolve({ isStarted: false, message: "there is no terminal" }),
    endLeftovers: async (turnMarker, recorded, _graceMs, exempt = new Set()) => {
      if (life.isOver) return never();
      const root = recorded === null ? undefined : table.get(recorded.pid);
      const isTree = root !== undefined && root.startTime === recorded?.startTime;
      const isMeant = (each: FakeProcess): boolean =>
        (turnMarker !== "" && each.turnMarker === turnMarker) || (isTree && isWithin(each, new Set([root.pid]), table));
      return { ended: sweep(isMeant, exempt), survivors: [] };
    },
  });
  return { port, liveness: livenessOf(table), living: () => [...table.values()], remove, started, actNames, stranger };
}

type AgentRun = {
  order: ProcessOrder;
  life: Life;
  act: TaskAct;
  agent: FakeProcess;
  remove: () => void;
  sweep: (isMeant: (process: FakeProcess) => boolean, exempt: ReadonlySet<number>) => number;
};

function runAgent(world: World, random: Random, run: AgentRun): RunningProcess {
  const { order, life, act, agent } = run;
  const startedMs = world.upMs();
  const ended = Promise.withResolvers<ProcessEnd>();
  let isEnding = false;
  let isCut = false;
  const end = async (facts: Partial<ProcessEnd>): Promise<void> => {
    run.remove();
    if (life.isOver) return;
    const exempt = (await order.exempt?.()) ?? new Set<number>();
    if (life.isOver) return;
    const leftoverCount = run.sweep((each) => each.turnMarker === order.turnMarker, exempt);
    const none = { exitCode: null, signal: null, timedOut: null, isForced: false, survivors: [] };
    ended.resolve({ ...none, isCut, leftoverCount, durationMs: world.upMs() - startedMs, ...facts });
  };
  const endSoon = (afterMs: number, facts: Partial<ProcessEnd>): void => {
    if (isEnding) return;
    isEnding = true;
    world.after(afterMs, null, () => void end(facts));
  };
  const isStubborn = random.chance(0.2);
  const signalMs = isStubborn ? order.killGraceMs : 5;
  const bySignal = { signal: "SIGTERM", isForced: isStubborn };
  agent.onGone = () => {
    // Killed from outside, by whoever found it left over: its driver hears of it, if it lives.
    if (!isEnding) endSoon(0, { signal: "SIGKILL" });
  };
  if (act.hangs !== true)
    world.after(2000 + random.below(4000), null, () => endSoon(0, { exitCode: act.exitCode ?? 0 }));
  const { wallMs } = order;
  if (wallMs !== null) world.after(wallMs, life, () => endSoon(signalMs, { ...bySignal, timedOut: "wall" }));
  return {
    identity: { pid: agent.pid, startTime: agent.startTime },
    ended: ended.promise,
    cut() {
      if (isCut || isEnding || life.isOver) return;
      isCut = true;
      endSoon(signalMs, bySignal);
    },
    endAfterSilence: () => {},
  };
}

/** Whether a process is one of these or descends from one that lives. */
function isWithin(process: FakeProcess, roots: ReadonlySet<number>, table: ReadonlyMap<number, FakeProcess>): boolean {
  for (let each: FakeProcess | undefined = process; each !== undefined; each = table.get(each.parentPid))
    if (roots.has(each.pid)) return true;
  return false;
}

function livenessOf(processes: ReadonlyMap<number, FakeProcess>): LivenessWorld {
  const rowOf = ({ pid, parentPid, startTime, startedAt }: FakeProcess) => {
    return { pid, parentPid, groupId: pid, sessionId: pid, startTime, startedAt, isZombie: false };
  };
  return {
    table: {
      readAll: () => [...processes.values()].map(rowOf),
      readOne: (pid) => {
        const found = processes.get(pid);
        return found === undefined ? null : rowOf(found);
      },
    },
    askGroup: (pgid) => (processes.has(pgid) ? "there" : "gone"),
    startedAtMs: ({ startedAt }) => startedAt,
    isOurs: () => true,
  };
}
