import type { Processes } from "../ports.ts";
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
    self: async () => ({ pid: process.pid, startTime: table.readOne(process.pid)?.startTime ?? "unknown" }),
    isAlive: (identity) => isAlive(table, identity),
  };
}
