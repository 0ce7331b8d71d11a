import { importSessions } from "../../../app/cleanup/import-sessions.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { Records } from "../../../shell/wire-store.ts";

/** Imports session runs that ended since the last command, so that this one can show them. Problems go to stderr. */
export async function importEnded(machine: Pick<Records, "store" | "folder">): Promise<void> {
  for (const problem of await importSessions(machine)) process.stderr.write(cleanLines([`ralph: ${problem}`]));
}
