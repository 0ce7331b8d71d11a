import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { markerVariable, type ProcessTable, type TableRow } from "./process-table.ts";

/** The table of Linux, read from `/proc`: three system calls a process, and no program started. */
export function createProcTable(): ProcessTable {
  const bootId = readBootId();
  const readOne = (pid: number): TableRow | null => {
    const stat = readStat(pid);
    return stat === null ? null : parseStat(stat, bootId);
  };
  return {
    readOne,
    readAll: () =>
      listPids()
        .map(readOne)
        .filter((row) => row !== null),
    startedAtOf: (startTime) => {
      const [boot, ticks] = startTime.split(":");
      return boot === bootId && ticks !== undefined && /^\d+$/.test(ticks) ? Number(ticks) : null;
    },
    findCarriers: (pids, marker) => {
      const setting = Buffer.from(`${markerVariable}=${marker}\0`);
      return pids.filter((pid) => hasSetting(pid, setting));
    },
  };
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
  } catch {
    return "boot";
  }
}

function listPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

// A stat line is about 300 bytes; the program's name in it has at most 64.
const statBuffer = Buffer.alloc(2048);

function readStat(pid: number): string | null {
  let file = -1;
  try {
    file = openSync(`/proc/${pid}/stat`, "r");
    return statBuffer.toString("latin1", 0, readSync(file, statBuffer));
  } catch {
    return null;
  } finally {
    if (file >= 0) closeSync(file);
  }
}

/** Reads one line of `/proc/<pid>/stat`. The program's name may itself hold blanks and brackets. */
export function parseStat(line: string, bootId: string): TableRow | null {
  const nameEnd = line.lastIndexOf(")");
  if (nameEnd < 0) return null;
  const fields = line.slice(nameEnd + 2).split(" ");
  const field = (position: number): number => Number(fields[position - 3]);
  const pid = Number.parseInt(line, 10);
  const startedAt = field(22);
  if (!Number.isInteger(pid) || !Number.isInteger(startedAt)) return null;
  const state = fields[0] ?? "";
  return {
    pid,
    parentPid: field(4),
    groupId: field(5),
    sessionId: field(6),
    startTime: `${bootId}:${startedAt}`,
    startedAt,
    // A process whose first thread has ended also shows Z, while its other threads work on.
    isZombie: state === "X" || (state === "Z" && field(20) <= 1),
  };
}

function hasSetting(pid: number, setting: Buffer): boolean {
  const environment = readEnvironment(pid);
  if (environment === null) return false;
  let position = environment.indexOf(setting);
  while (position > 0 && environment[position - 1] !== 0) position = environment.indexOf(setting, position + 1);
  return position >= 0;
}

// The kernel lets us read it only of processes we may control, so strangers fall out by themselves.
function readEnvironment(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}
