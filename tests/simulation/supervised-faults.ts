import type { Processes, RunRecord, Store } from "../../src/shell/ports.ts";
import type { Plant } from "./simulate-supervised.ts";
import type { supervisedInvariants } from "./supervised-invariants.ts";
import { task } from "./task-stage.ts";

/** For each invariant of supervised runs a machine that breaks it: the proof that the invariant can fail. */
export const supervisedFaults: Record<keyof typeof supervisedInvariants, Plant> = {
  "completed means that DONE is there, and with --fresh a new one": (machine) => {
    const seen = { kind: "file" as const, bytes: 0, changedAt: Number.POSITIVE_INFINITY, identity: "imagined" };
    const look = (path: string) => (path === task.doneFile ? seen : machine.disk.look(path));
    return { ...machine, disk: { ...machine.disk, look } };
  },
  "completed means that no registered child is at work, or that the wait is named": (machine, scene) => ({
    ...machine,
    // The sweep spares children, but the gate takes them for dead.
    processes: sparing(machine.processes, () =>
      scene.processes
        .living()
        .filter(({ isRegistered }) => isRegistered)
        .map(({ pid }) => pid),
    ),
    liveness: { ...machine.liveness, askGroup: () => "gone" },
  }),
  "there are never more runs than restarts allowed": (machine) => {
    const create: Store["create"] = (run, owner, answers) => {
      const policy = { ...run.frozen.policy, iterationsMax: 20 };
      const frozen = { ...run.frozen, policy };
      return machine.store.create({ ...run, frozen, state: { ...run.state, policy } }, owner, answers);
    };
    return { ...machine, store: { ...machine.store, create } };
  },
  "after the end no process is alive but those who may be": (machine, scene) => ({
    ...machine,
    processes: sparing(machine.processes, () => scene.processes.living().map(({ pid }) => pid)),
  }),
  "a process of somebody else is left alone": (machine, scene) => ({
    ...machine,
    // Somebody's old process seems to be as young as the record that names it: children are waited for 5 s or more.
    liveness: {
      ...machine.liveness,
      startedAtMs: ({ pid, startedAt }) =>
        pid === scene.processes.stranger.pid ? scene.world.now() - 8000 : startedAt,
    },
  }),
  "the project hears of a completion once": (machine) => {
    const forgotten = [task.projectBusFile, task.propagationFile];
    const { disk } = machine;
    const open: typeof disk.open = (path, purpose) =>
      purpose === "read" && forgotten.includes(path) ? null : disk.open(path, purpose);
    return { ...machine, disk: { ...disk, open } };
  },
  "DONE wins over a wish to wait": (machine) => {
    const look = (path: string) => (path === task.doneFile ? null : machine.disk.look(path));
    return { ...machine, disk: { ...machine.disk, look } };
  },
  "a cancelled run stays cancelled": (machine) => {
    const undone = (record: RunRecord): RunRecord => ({
      ...record,
      outcome: null,
      state: { ...record.state, outcome: null, isCancelAsked: false },
    });
    const take: Store["take"] = async (runId, owner, answers) => {
      const taken = await machine.store.take(runId, owner, answers);
      const isUndone = taken.isTaken && taken.record.outcome?.name === "cancelled";
      return isUndone ? { ...taken, record: undone(taken.record) } : taken;
    };
    return { ...machine, store: { ...machine.store, take } };
  },
};

/** Processes whose sweep after a turn leaves these alone. */
function sparing(processes: Processes, spared: () => number[]): Processes {
  const exempt = (): Promise<ReadonlySet<number>> => Promise.resolve(new Set(spared()));
  return { ...processes, start: (order) => processes.start({ ...order, exempt }) };
}
