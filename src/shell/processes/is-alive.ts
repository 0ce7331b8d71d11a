import type { ProcessIdentity } from "../ports.ts";
import type { ProcessTable } from "./process-table.ts";

/** Whether exactly this process is alive. A process of another user counts as alive. */
export function isAlive(table: Pick<ProcessTable, "readOne">, identity: ProcessIdentity): boolean {
  const row = table.readOne(identity.pid);
  if (row !== null) return !row.isZombie && row.startTime === identity.startTime;
  // Another user's process may be hidden from the table.
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
