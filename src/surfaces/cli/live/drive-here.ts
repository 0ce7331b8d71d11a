import type { EndedRun } from "../../../app/start/start-here.ts";
import { exitCodes, outcomeSentence } from "../../../core/run/outcome.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Machine } from "../../../shell/machine.ts";
import { connect, type LiveConnection } from "./connect.ts";
import type { Display } from "./display-options.ts";
import { tellNext } from "./tell-next.ts";
import { useMachine } from "./use-machine.ts";

/** Whose settings and flags a terminal shows a run by. */
export type Shown = { settings: Settings; display: Display };

/** Drives a run in the foreground of this terminal, closes screen and store, and returns the exit code. */
export function driveHere(
  { program, ...shown }: Shown & { program: Partial<Machine> },
  drive: (machine: Machine, live: LiveConnection) => Promise<EndedRun>,
): Promise<number> {
  return useMachine(program, async (machine) => {
    const end = await onTerminal(shown, (live) => drive(machine, live));
    return tellEnd(machine, { ...end, isWork: false }, shown.display);
  });
}

/** Connects a run to this terminal for as long as `drive` takes. */
export function onTerminal<End>(
  { settings, display }: Shown,
  drive: (live: LiveConnection) => Promise<End>,
): Promise<End> {
  const live = connect(settings, display);
  return live.closeAfter(() => drive(live));
}

/** Tells how a run ended that was driven here, and what comes next; returns its exit code. */
export async function tellEnd(
  machine: Pick<Machine, "store">,
  end: EndedRun & { isWork: boolean },
  { isJson }: Pick<Display, "isJson">,
): Promise<number> {
  // A run has told its outcome itself; a work run has not.
  if (end.isWork) tellOutcome(end, isJson);
  if (!isJson) await tellNext(machine, end.id);
  return exitCodes[end.outcome.name];
}

function tellOutcome({ id, outcome }: EndedRun, isJson: boolean): void {
  if (!isJson) return void process.stderr.write(cleanLines([outcomeSentence(outcome)]));
  const { name, reason, isVerified } = outcome;
  const verified = isVerified === undefined ? {} : { isVerified };
  process.stdout.write(
    jsonResult({ kind: "outcome", id, outcome: name, ...verified, reason, exitCode: exitCodes[name] }),
  );
}
