import type { Machine } from "../../src/shell/machine.ts";
import type { NewRun, ProcessEnd, ProcessOrder, RunRecord, RunningProcess, Store } from "../../src/shell/ports.ts";

/** Every check seems to be green. */
export function withGreenChecks(machine: Machine): Machine {
  return withProcesses(machine, ({ argv }, process) =>
    argv[0] === "sh" ? { ...process, ended: process.ended.then((end) => ({ ...end, exitCode: 0 })) } : process,
  );
}

/** A process that is cut counts as gone at once, and lives on. */
export function withDeafProcesses(machine: Machine): Machine {
  return withProcesses(machine, (_order, process) => {
    const given = Promise.withResolvers<ProcessEnd>();
    const facts = { exitCode: null, signal: "SIGTERM", timedOut: null, isForced: false, leftoverCount: 0 };
    const cut = (): void => given.resolve({ ...facts, isCut: true, survivors: [], durationMs: 0 });
    return { ...process, ended: Promise.race([process.ended, given.promise]), cut };
  });
}

/** A resume finds no trace of a cancel. */
export function withUndoneCancels(machine: Machine): Machine {
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
}

/** Runs begin otherwise than was ordered. */
export function withOtherRuns(machine: Machine, change: (run: NewRun) => NewRun): Machine {
  const create: Store["create"] = (run, owner, answers) => machine.store.create(change(run), owner, answers);
  return { ...machine, store: { ...machine.store, create } };
}

function withProcesses(
  machine: Machine,
  change: (order: ProcessOrder, process: RunningProcess) => RunningProcess,
): Machine {
  return {
    ...machine,
    processes: {
      ...machine.processes,
      async start(order) {
        const start = await machine.processes.start(order);
        return start.isStarted ? { isStarted: true, process: change(order, start.process) } : start;
      },
    },
  };
}
