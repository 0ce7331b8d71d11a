import type { WorkPlan } from "../../src/core/tasks/work-plan.ts";
import type { TaskStatus } from "../../src/core/tasks/task.ts";
import type { Machine } from "../../src/shell/machine.ts";
import type { Store } from "../../src/shell/ports.ts";
import { gitWords } from "./git-words.ts";
import { withDeafProcesses, withGreenChecks, withOtherRuns, withUndoneCancels } from "./planted-machines.ts";
import type { WorkPlant } from "./simulate-work.ts";
import type { workInvariants } from "./work-invariants.ts";

/** For each invariant of works a machine that breaks it: the proof that the invariant can fail. */
export const workFaults: Record<keyof typeof workInvariants, WorkPlant> = {
  "a task is done only when every role's last run completed in this round": (machine) =>
    storing(machine, (status) => (status === "ready" ? "done" : status)),
  "a role is verified only by a claim of its own on green checks": (machine) => withGreenChecks(machine),
  "what is done in a work tree is merged": (machine) => ({
    ...machine,
    processes: {
      ...machine.processes,
      // A merge only looks.
      start: (order) =>
        machine.processes.start(
          isMerge(gitWords(order.argv) ?? []) ? { ...order, argv: ["git", "symbolic-ref", "HEAD"] } : order,
        ),
    },
  }),
  "a task is done only with every project gate green on the merged tip": (machine) => ({
    ...machine,
    // The work itself is frozen without a gate; its roles have all of theirs.
    gateKinds: machine.gateKinds.map((kind) => ({
      ...kind,
      gatesOf: (sources) => (sources.role === null ? [] : kind.gatesOf(sources)),
    })),
  }),
  "no task is lost": (machine) => storing(machine, (status) => (status === "ready" ? "running" : status)),
  "nothing that could go on is left when a work run ends by itself": (machine) =>
    storing(machine, (status) => (status === "failed" ? "ready" : status)),
  "a task begins only when what it waits for is done": (machine) =>
    ordering(machine, (work) => ({ ...work, tasks: work.tasks.map((task) => ({ ...task, dependencies: [] })) })),
  "there are never more rounds than allowed": (machine) => ordering(machine, (work) => ({ ...work, rounds: 9 })),
  "there are never more turns at once than allowed": (machine) => ordering(machine, (work) => ({ ...work, jobs: 9 })),
  "what was cancelled stays cancelled": (machine) => withUndoneCancels(machine),
  "after the end no process is alive": (machine) => withDeafProcesses(machine),
};

/** A store that takes tasks to stand otherwise than it was told. */
function storing(machine: Machine, change: (status: TaskStatus) => TaskStatus): Machine {
  const { store } = machine;
  const updateTask: Store["updateTask"] = (directory, id, update) =>
    store.updateTask(directory, id, {
      ...update,
      standing: { ...update.standing, status: change(update.standing.status) },
    });
  return { ...machine, store: { ...store, updateTask } };
}

/** A work run that begins with another order. */
function ordering(machine: Machine, change: (work: WorkPlan) => WorkPlan): Machine {
  return withOtherRuns(machine, (run) => {
    const { work } = run.frozen;
    return work === undefined ? run : { ...run, frozen: { ...run.frozen, work: change(work) } };
  });
}

/** The main branch is moved to the commit of a merge; a merge that is taken back is named by its parent. */
function isMerge(words: readonly string[]): boolean {
  return words[0] === "reset" && words.includes("--keep") && !(words.at(-1) ?? "").endsWith("^1");
}
