import { nextCommand, nextLine } from "../../../app/query/summary/next-command.ts";
import { refusalCommand } from "../../../app/query/summary/refusal-command.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { Machine } from "../../../shell/machine.ts";

/** The last lines of a run that ended here: the command that shows its refusal again and the one that continues it, if there are some. */
export async function tellNext({ store }: Pick<Machine, "store">, runId: string): Promise<void> {
  const [run] = await store.find(runId);
  const commands = run === undefined ? [] : [refusalCommand(run), nextCommand(run, false)];
  const lines = commands.filter((command) => command !== null).map(nextLine);
  if (lines.length > 0) process.stderr.write(cleanLines(lines));
}
