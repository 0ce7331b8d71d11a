import { readFileSync, statSync } from "node:fs";
import type { SupervisedRun } from "../../../core/supervise/run-record.ts";
import type { ProcessTable, TableRow } from "../../processes/process-table.ts";
import { systemTable } from "../../processes/identities.ts";

/** The world a run's processes are looked for in. */
export type LivenessWorld = {
  table: Pick<ProcessTable, "readAll" | "readOne">;
  /** Asks the kernel for a process group. A group of another user is `denied`: it is there. */
  askGroup: (pgid: number) => "there" | "denied" | "gone";
  /** The wall clock at the start of a process of the table; null when nobody can tell. */
  startedAtMs: (row: TableRow) => number | null;
  /** Whether a process is of the user this program runs as, as far as anybody can tell. */
  isOurs: (pid: number) => boolean;
};

/** A record is written within seconds of its process's start; a process started later than that is another one. */
const laterMsMax = 10_000;

/**
 * Whether the process group of a run is alive and still its own: a pid is given out again, and a record survives its
 * process. A group of another user counts as alive; one with nothing left but zombies does not.
 */
export function isRunAlive(run: SupervisedRun, world: LivenessWorld): boolean {
  // Group 1 is init's; 0 and below would ask for our own group or for everybody.
  if (run.pgid <= 1) return false;
  const answer = world.askGroup(run.pgid);
  if (answer !== "there") return answer === "denied";
  const members = world.table.readAll(null).filter((row) => row.groupId === run.pgid && !row.isZombie);
  if (members.length === 0) return false;
  return isOwnProcess(run, world);
}

/** What a record needs of a process just started, or of this one: `processFacts(process.pid)`. */
export function processFacts(
  pid: number,
  table: LivenessWorld["table"] = createLivenessWorld().table,
): Pick<SupervisedRun, "pid" | "pgid" | "processStart"> {
  const row = table.readOne(pid);
  return { pid, pgid: row?.groupId ?? pid, processStart: row?.startTime ?? null };
}

/** The processes of this machine. */
export function createLivenessWorld(): LivenessWorld {
  const isLinux = process.platform === "linux";
  let bootMs: number | null = null;
  return {
    table: systemTable(),
    askGroup,
    startedAtMs: ({ startedAt }) => {
      if (!isLinux) return startedAt;
      bootMs ??= readBootMs();
      return bootMs === null ? null : bootMs + startedAt * tickMs;
    },
    isOurs,
  };
}

/** Linux tells programs of a hundredth of a second, whatever it counts in itself. */
const tickMs = 10;

function isOwnProcess(run: SupervisedRun, { table, startedAtMs }: LivenessWorld): boolean {
  const row = table.readOne(run.pid);
  if (run.processStart !== null) {
    if (row !== null) return row.startTime === run.processStart;
    // The leader is gone and left others in its group. One that never led it has nothing there.
    return run.pid === run.pgid;
  }
  const leader = run.pid === run.pgid ? row : table.readOne(run.pgid);
  const startedAt = leader === null ? null : startedAtMs(leader);
  return startedAt === null || startedAt <= run.startedAt + laterMsMax;
}

/** Only the superuser may signal everybody, and only Linux shows whose a process is; elsewhere the signal itself tells. */
function isOurs(pid: number): boolean {
  const own = process.getuid?.();
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  return own === undefined || owner === undefined || owner === own;
}

function askGroup(pgid: number): "there" | "denied" | "gone" {
  try {
    process.kill(-pgid, 0);
    return "there";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM" ? "denied" : "gone";
  }
}

function readBootMs(): number | null {
  try {
    const seconds = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
    return Number.isInteger(seconds) ? seconds * 1000 : null;
  } catch {
    return null;
  }
}
