import { pidNamespaceOf } from "../lib/pid-namespace-of.ts";
import type { ProcessIdentity } from "../ports.ts";
import { readEnvironment } from "./proc-table.ts";
import { markerVariable, type ProcessTable } from "./process-table.ts";

/** The PID namespaces of this machine, as far as they can be seen from here. */
export type Namespaces = {
  /** That of this process; null where the system has none. */
  own: string | null;
  of: (pid: number) => string | null;
  /** Whether this process is inside the namespace of a turn, from where what is outside cannot be seen. */
  isInsideTurn: () => boolean;
};

type Table = Pick<ProcessTable, "readOne" | "readAll" | "startedAtOf">;

/**
 * Whether exactly this process is alive. A process of another user counts as alive, and one of another PID namespace while that
 * namespace lives: there its pid means another process.
 */
export function isAlive(table: Table, identity: ProcessIdentity, namespaces: Namespaces = systemNamespaces()): boolean {
  if (isElsewhere(identity, namespaces)) return isNamespaceAlive(table, identity, namespaces);
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

/** Whether a process was recorded in another PID namespace: its pid must not be signalled or looked for here. */
export function isElsewhere(
  { namespace }: ProcessIdentity,
  { own }: Pick<Namespaces, "own"> = systemNamespaces(),
): boolean {
  return namespace !== undefined && own !== null && namespace !== own;
}

/** What Linux shows under `/proc`. */
export function systemNamespaces(): Namespaces {
  return { own: pidNamespaceOf("self"), of: pidNamespaceOf, isInsideTurn };
}

/**
 * The first process of a namespace is older than every other one in it, and the namespace ends with it. A namespace made later may
 * get the same name; all of its processes are younger.
 */
function isNamespaceAlive(table: Table, { namespace, startTime }: ProcessIdentity, namespaces: Namespaces): boolean {
  const startedAt = table.startedAtOf(startTime);
  if (startedAt === null) return false;
  const isOfIt = (pid: number): boolean => namespaces.of(pid) === namespace;
  if (table.readAll(null).some((row) => row.startedAt <= startedAt && !row.isZombie && isOfIt(row.pid))) return true;
  return namespaces.isInsideTurn();
}

// A turn is started with the marker, so the first process of its namespace has it for good, whatever the agent's own ones clear.
function isInsideTurn(): boolean {
  return readEnvironment(1)
    .toString("latin1")
    .split("\0")
    .some((setting) => setting.startsWith(`${markerVariable}=`));
}
