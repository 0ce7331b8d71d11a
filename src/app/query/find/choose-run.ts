import type { RalphError } from "../../../core/ralph-error.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { runsOf } from "./runs-of.ts";
import { noneIn, type RunName, type TargetContext, targetToChange } from "./target.ts";

/** What is said when there is no run to choose. */
export type ChoiceWords = {
  /** No run of the directory is meant, such as "There is no running run". */
  nothing: string;
  /** A living session run is named: it cannot be asked from outside. */
  inSession: (sessionId: string) => RalphError;
};

/** The named run, for a command that changes it: by id or one end of it, else the newest of the directory that `isMeant`. */
export async function chooseRun(
  context: TargetContext,
  name: RunName,
  isMeant: (run: RunRecord) => boolean | Promise<boolean>,
  { nothing, inSession }: ChoiceWords,
): Promise<RunRecord> {
  if ("id" in name) {
    const { run, session } = await targetToChange(context, name.id);
    if (run === undefined) throw inSession(session.loop.sessionId);
    return run;
  }
  for (const run of await runsOf(context, name.directory)) if (await isMeant(run)) return run;
  throw noneIn(name.directory, nothing);
}
