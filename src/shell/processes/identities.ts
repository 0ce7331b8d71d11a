import type { ProcessIdentity, Processes } from "../ports.ts";
import { pidNamespaceOf } from "../lib/pid-namespace-of.ts";
import { isAlive } from "./is-alive.ts";
import type { ProcessTable } from "./process-table.ts";
import { createProcTable } from "./proc-table.ts";
import { createPsTable } from "./ps-table.ts";

/** The processes of this machine as its system lists them. */
export function systemTable(): ProcessTable {
  return process.platform === "linux" ? createProcTable() : createPsTable();
}

/** Who we are and who lives: enough of the port to own a lock, for programs that start nothing. */
export function createIdentities(table: ProcessTable = systemTable()): Pick<Processes, "self" | "isAlive"> {
  return {
    self: async () => identityOf(table),
    isAlive: (identity) => isAlive(table, identity),
  };
}

/** This very process as others know it, with the PID namespace that its pid belongs to. */
export function identityOf(table: Pick<ProcessTable, "readOne">): ProcessIdentity {
  const namespace = pidNamespaceOf("self");
  const startTime = table.readOne(process.pid)?.startTime ?? "unknown";
  return { pid: process.pid, startTime, ...(namespace === null ? {} : { namespace }) };
}
