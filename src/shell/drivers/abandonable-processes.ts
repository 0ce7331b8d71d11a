import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Machine } from "../machine.ts";
import type { Processes, ProcessStart } from "../ports.ts";
import type { BackstopTools } from "./backstop.ts";
import { registeredProcesses } from "./recover.ts";

/** The processes of a run, and how to end those of an effect that does not answer. */
export type AbandonableProcesses = Pick<BackstopTools, "endProcesses" | "abandon"> & { processes: Processes };

/** An abandoned operation may continue in this program, but starts no further process. */
export function createAbandonableProcesses(
  machine: Pick<Machine, "processes" | "disk" | "clock" | "liveness">,
  run: { id: string; frozen: Pick<FrozenRun, "supervised"> },
): AbandonableProcesses {
  const abandoned = new Set<string>();
  const isAbandoned = (turnMarker: string): boolean => abandoned.has(turnMarker.split("/")[0] ?? turnMarker);
  const endProcesses: BackstopTools["endProcesses"] = async ({ id }, turnProcess) => {
    try {
      const exempt = await registeredProcesses(machine, run.frozen.supervised);
      await machine.processes.endLeftovers(`${run.id}.${id}`, turnProcess, 0, exempt);
    } catch {
      // A resume looks for them again.
    }
  };
  return {
    endProcesses,
    abandon(effect, turnProcess) {
      abandoned.add(`${run.id}.${effect.id}`);
      return endProcesses(effect, turnProcess);
    },
    processes: {
      ...machine.processes,
      async start(order) {
        if (isAbandoned(order.turnMarker)) return refused;
        const start = await machine.processes.start(order);
        if (start.isStarted && isAbandoned(order.turnMarker)) start.process.cut();
        return start;
      },
    },
  };
}

const refused: ProcessStart = { isStarted: false, kind: "resources", message: "the operation was abandoned." };
