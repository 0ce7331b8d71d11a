import type { EndedRun } from "../../../app/start/start-here.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { Machine } from "../../../shell/machine.ts";
import { wire } from "../../../shell/wire.ts";
import { importEnded } from "../input/import-ended.ts";
import { connect, type LiveConnection } from "./connect.ts";
import type { Display } from "./display-options.ts";

/** Drives a run in the foreground of this terminal, closes screen and store, and returns the exit code. */
export async function driveHere(
  { program, settings, display }: { program?: Partial<Machine>; settings: Settings; display: Display },
  drive: (machine: Machine, live: LiveConnection) => Promise<EndedRun>,
): Promise<number> {
  const machine = await wire(program);
  try {
    await importEnded(machine);
    const live = connect(settings, display);
    const { id, outcome } = await live.closeAfter(() => drive(machine, live));
    if (!display.isJson && outcome.name !== "completed" && outcome.name !== "cancelled")
      process.stderr.write(`Resume with: ralph resume ${id}\n`);
    return exitCodes[outcome.name];
  } finally {
    await machine.store.close();
  }
}
