import type { EndedRun } from "../../../app/start/start-here.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { Machine } from "../../../shell/machine.ts";
import { connect, type LiveConnection } from "./connect.ts";
import type { Display } from "./display-options.ts";
import { tellNext } from "./tell-next.ts";
import { useMachine } from "./use-machine.ts";

/** Drives a run in the foreground of this terminal, closes screen and store, and returns the exit code. */
export function driveHere(
  { program, settings, display }: { program: Partial<Machine>; settings: Settings; display: Display },
  drive: (machine: Machine, live: LiveConnection) => Promise<EndedRun>,
): Promise<number> {
  return useMachine(program, async (machine) => {
    const live = connect(settings, display);
    const { id, outcome } = await live.closeAfter(() => drive(machine, live));
    if (!display.isJson) await tellNext(machine, id);
    return exitCodes[outcome.name];
  });
}
