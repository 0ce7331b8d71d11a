import { markerVariable, type ProcessTable, type TableRow } from "./process-table.ts";
import { runNow } from "./run-now.ts";

/** The table of systems without `/proc` (macOS). Start times are exact to the second only. */
export function createPsTable(): ProcessTable {
  const columns = ["-o", "pid=,ppid=,pgid=,stat=,lstart="];
  return {
    readAll: () => parseRows(runPs(["-ax", ...columns])),
    readOne: (pid) => parseRows(runPs(["-p", String(pid), ...columns]))[0] ?? null,
    startedAtOf: (startTime) => {
      const startedAt = Date.parse(startTime);
      return Number.isNaN(startedAt) ? null : startedAt;
    },
    findCarriers: (pids, turnMarker) => ({
      carriers: pids.length === 0 ? [] : findCarriers(pids, turnMarker),
      blank: [],
    }),
    births: () => null,
  };
}

/** What `ps` prints; nothing when it fails. */
export function runPs(options: readonly string[]): string {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C" };
  const limits = { timeoutMs: 5_000, outputBytesMax: 64 * 1024 * 1024 };
  return runNow({ purpose: "tool", argv: ["ps", ...options], env, ...limits }) ?? "";
}

/** Reads the columns pid, ppid, pgid, stat and lstart. There is no session column worth reading on macOS. */
export function parseRows(listing: string): TableRow[] {
  return listing.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\S)\s*$/.exec(line);
    if (match === null) return [];
    const [, pid, parentPid, groupId, state = "", startTime = ""] = match;
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      sessionId: Number(groupId),
      startTime,
      startedAt: Date.parse(startTime),
      isZombie: state.startsWith("Z"),
    };
  });
}

// `ps -E` prints the environment behind the command, its settings parted by blanks.
function findCarriers(pids: readonly number[], turnMarker: string): number[] {
  const setting = ` ${markerVariable}=${turnMarker}`;
  const listing = runPs(["-E", "-ww", "-o", "pid=,command=", "-p", pids.join(",")]);
  return listing
    .split("\n")
    .filter((line) => [" ", "/"].some((end) => `${line} `.includes(setting + end)))
    .map((line) => Number.parseInt(line, 10));
}
