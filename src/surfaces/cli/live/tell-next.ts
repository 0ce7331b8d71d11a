import { nextCommand, nextLine } from "../../../app/query/summary/next-command.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { Machine } from "../../../shell/machine.ts";

/** The last line of a run that ended here: the one command that continues it, if there is one. */
export async function tellNext({ store }: Pick<Machine, "store">, runId: string): Promise<void> {
  const [run] = await store.find(runId);
  const next = run === undefined ? null : nextCommand(run, false);
  if (next !== null) process.stderr.write(cleanLines([nextLine(next)]));
}
