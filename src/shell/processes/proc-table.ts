import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { type Births, markerVariable, type ProcessTable, type TableRow } from "./process-table.ts";

/** The table of Linux, read from `/proc`: three system calls a process, and no program started. */
export function createProcTable(): ProcessTable {
  const bootId = readSmall("/proc/sys/kernel/random/boot_id").slice(0, 8) || "boot";
  const pidMax = Number(readSmall("/proc/sys/kernel/pid_max"));
  const readOne = (pid: number): TableRow | null => {
    const stat = readStat(pid);
    return stat === null ? null : parseStat(stat, bootId);
  };
  return {
    readOne,
    readAll: (since) => {
      // The list comes first: a pid in it that is above the last one given out afterwards has been there for longer.
      const pids = listPids();
      const canBeBorn = bornSince(since, since === null ? null : readBirths(), pidMax);
      return pids
        .filter(canBeBorn)
        .map(readOne)
        .filter((row) => row !== null);
    },
    startedAtOf: (startTime) => {
      const [boot, ticks] = startTime.split(":");
      return boot === bootId && ticks !== undefined && /^\d+$/.test(ticks) ? Number(ticks) : null;
    },
    findCarriers: (pids, turnMarker) => {
      const setting = Buffer.from(`${markerVariable}=${turnMarker}`);
      const environments = pids.map((pid) => ({ pid, environment: readEnvironment(pid) }));
      const pidsWhere = (isMeant: (environment: Buffer) => boolean): number[] =>
        environments.filter(({ environment }) => isMeant(environment)).map(({ pid }) => pid);
      return {
        carriers: pidsWhere((environment) => hasSetting(environment, setting)),
        blank: pidsWhere((environment) => environment.length === 0),
      };
    },
    births: readBirths,
  };
}

function listPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readStat(pid: number): string | null {
  const line = readSmall(`/proc/${pid}/stat`);
  return line === "" ? null : line;
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

// The value is the turn marker itself or one below it: `run.7` also finds `run.7/2`.
function hasSetting(environment: Buffer, setting: Buffer): boolean {
  for (let at = environment.indexOf(setting); at >= 0; at = environment.indexOf(setting, at + 1)) {
    const following = environment[at + setting.length];
    if ((at === 0 || environment[at - 1] === 0) && (following === 0 || following === slash)) return true;
  }
  return false;
}

const slash = "/".charCodeAt(0);

/** What a process was started with. The kernel shows it only of processes we may control, so strangers fall out by themselves. */
export function readEnvironment(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * Tells which pids may have been given out since a moment. Linux counts them upwards and starts again after the maximum, so
 * they lie between the last pid then and the last pid now, unless the count went all around; far from that, it did not.
 * Without the upper end a machine whose pids have started again would read most of its processes at each look.
 */
export function bornSince(since: Births | null, now: Births | null, pidMax: number): (pid: number) => boolean {
  const isNear = since !== null && now !== null && now.count - since.count <= pidMax / 4;
  if (!isNear) return () => true;
  if (now.lastPid >= since.lastPid) return (pid) => pid > since.lastPid && pid <= now.lastPid;
  return (pid) => pid > since.lastPid || pid <= now.lastPid;
}

function readBirths(): Births | null {
  const count = Number(/^processes (\d+)$/m.exec(readSmall("/proc/stat"))?.[1]);
  const lastPid = Number(/(\d+)\s*$/.exec(readSmall("/proc/loadavg"))?.[1]);
  return Number.isInteger(count) && Number.isInteger(lastPid) ? { count, lastPid } : null;
}

// A stat line of a process has about 300 bytes, that of a large machine some 10 000; what is longer is cut.
const buffer = Buffer.alloc(64 * 1024);

// Empty when there is no such file. One buffer for all: these files are read a hundred times at each look.
function readSmall(path: string): string {
  let file = -1;
  try {
    file = openSync(path, "r");
    return buffer.toString("latin1", 0, readSync(file, buffer));
  } catch {
    return "";
  } finally {
    if (file >= 0) closeSync(file);
  }
}
