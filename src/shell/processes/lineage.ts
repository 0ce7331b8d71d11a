import { readFileSync } from "node:fs";
import { pidNamespaceOf } from "../lib/pid-namespace-of.ts";
import type { ProcessIdentity } from "../ports.ts";
import type { ProcessTable } from "./process-table.ts";
import { systemTable } from "./identities.ts";
import { runPs } from "./ps-table.ts";

/** One process this program descends from. */
export type Forebear = ProcessIdentity & {
  /** The session of the operating system; a process keeps it when its parent dies. */
  sessionId: number;
  /** `NAME=value` settings it was started with; empty where the system does not show them. */
  environment: readonly string[];
};

/** Deeper chains do not occur; a table that changes while it is read must not be followed forever. */
const depthMax = 256;

/**
 * This process, its parent, and so on to the first one. The first process of a PID namespace belongs to the list also
 * when a process in between is gone: orphans become its children, and a sandbox starts the agent as its first process.
 */
export function readLineage(
  table: Pick<ProcessTable, "readOne"> = systemTable(),
  readEnvironment: (pid: number) => string[] = process.platform === "linux" ? procEnvironment : psEnvironment,
  from: number = process.pid,
): Forebear[] {
  const found: Forebear[] = [];
  const seen = new Set<number>();
  for (let pid = from; pid > 0 && !seen.has(pid) && seen.size < depthMax;) {
    seen.add(pid);
    const row = table.readOne(pid);
    if (row === null) break;
    const { startTime, sessionId } = row;
    const namespace = pidNamespaceOf(pid);
    const place = namespace === null ? {} : { namespace };
    found.push({ pid, startTime, ...place, sessionId, environment: readEnvironment(pid) });
    pid = row.parentPid;
  }
  return found;
}

function procEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** `ps -E` prints the environment behind the command, parted by blanks. */
function psEnvironment(pid: number): string[] {
  return runPs(["-E", "-ww", "-o", "command=", "-p", String(pid)]).split(/\s+/);
}
