import type { Machine } from "../../../shell/machine.ts";
import { wire } from "../../../shell/wire.ts";
import { importEnded } from "../input/import-ended.ts";

/** Opens the machine of a command that drives runs; imports session runs that ended first, and closes the store afterwards. */
export async function useMachine<End>(
  program: Partial<Machine>,
  use: (machine: Machine) => Promise<End>,
): Promise<End> {
  const machine = await wire(program);
  try {
    await importEnded(machine);
    return await use(machine);
  } finally {
    await machine.store.close();
  }
}
