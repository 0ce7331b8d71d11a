import type { Births, ProcessTable, TableRow } from "./process-table.ts";

/** A started process with everything that descends from it. */
export type Family = {
  /**
   * The members alive now. Also remembers them, so that one whose parent dies later, or who cleared its environment,
   * is still known at the next survey.
   */
  survey(): TableRow[];
  /** Why the last survey may have missed someone: one born meanwhile, or one whose environment did not show. */
  doubt(): Doubt | null;
  /** From now on these processes and groups, with their descendants, are not members, whoever started them. */
  exempt(numbers: ReadonlySet<number>): void;
  /** Whether the last survey left out a process of this group: a signal to the group would reach it. */
  hasExempt(groupId: number): boolean;
};

/** A birth is over at the next look; an environment shows when its process is through with `exec`, a moment later. */
export type Doubt = "birth" | "blank";

export type FamilyOrigin = {
  /** The first process, known by pid and start time; null when only the turn marker is known. */
  root: { pid: number; startTime: string } | null;
  turnMarker: string;
  /** Nothing older belongs to the family. */
  since: number;
  /** A moment before the first process was born, where it is known: it spares reading everyone older. */
  births: Births | null;
};

/** Follows a family by parent, session and inherited turn marker. A reused pid is told by its start time. */
export function createFamily(table: ProcessTable, origin: FamilyOrigin): Family {
  const members = new Map<number, string>();
  if (origin.root !== null) members.set(origin.root.pid, origin.root.startTime);
  let doubt: Doubt | null = "birth";
  let exempt: ReadonlySet<number> = new Set();
  let exemptGroups = new Set<number>();
  return {
    doubt: () => doubt,
    exempt: (numbers) => {
      exempt = numbers;
    },
    hasExempt: (groupId) => exemptGroups.has(groupId),
    survey: () => {
      const births = table.births();
      const rows = table.readAll(origin.births);
      forgetReused(members, rows);
      const living = rows.filter((row) => isPossible(row, origin.since));
      addDescendants(members, living);
      const hasBlank = addCarriers({ table, turnMarker: origin.turnMarker, members, living });
      const isStill = births !== null && table.births()?.count === births.count;
      doubt = isStill ? null : "birth";
      if (hasBlank) doubt = "blank";
      const left = exemptRows(living, exempt, origin.root?.pid ?? null);
      exemptGroups = new Set([...left].map((row) => row.groupId));
      return living.filter((row) => members.get(row.pid) === row.startTime && !left.has(row));
    },
  };
}

// The root itself and its group are never exempt as a whole: somebody registered in that group is known by his own pid.
function exemptRows(
  living: readonly TableRow[],
  numbers: ReadonlySet<number>,
  rootPid: number | null,
): ReadonlySet<TableRow> {
  const left = new Set<TableRow>();
  if (numbers.size === 0) return left;
  const pids = new Set([...numbers].filter((number) => number !== rootPid));
  let sizeBefore = -1;
  while (sizeBefore !== left.size) {
    sizeBefore = left.size;
    for (const row of living) {
      if (row.pid === rootPid || left.has(row)) continue;
      if (![row.pid, row.groupId, row.sessionId, row.parentPid].some((number) => pids.has(number))) continue;
      left.add(row);
      pids.add(row.pid);
    }
  }
  return left;
}

// Process 1 adopts orphans and this very process gives the orders: neither is ever ended.
function isPossible(row: TableRow, since: number): boolean {
  return !row.isZombie && row.startedAt >= since && row.pid > 1 && row.pid !== process.pid;
}

// A pid stays taken as long as its process or its session is there; afterwards it may come back as a stranger.
function forgetReused(members: Map<number, string>, rows: readonly TableRow[]): void {
  const startTimes = new Map(rows.map((row) => [row.pid, row.startTime]));
  const sessionIds = new Set(rows.map((row) => row.sessionId));
  for (const [pid, startTime] of members) {
    const found = startTimes.get(pid);
    const isHeld = found === undefined ? sessionIds.has(pid) : found === startTime;
    if (!isHeld) members.delete(pid);
  }
}

// A group lies within one session, so the session speaks for it too.
function addDescendants(members: Map<number, string>, living: readonly TableRow[]): void {
  let sizeBefore = -1;
  while (sizeBefore !== members.size) {
    sizeBefore = members.size;
    for (const row of living) {
      const isRelated = members.has(row.parentPid) || members.has(row.sessionId);
      if (isRelated && !members.has(row.pid)) members.set(row.pid, row.startTime);
    }
  }
}

type CarrierSearch = {
  table: ProcessTable;
  turnMarker: string;
  members: Map<number, string>;
  living: readonly TableRow[];
};

// Returns whether somebody's environment could not be seen, who may therefore be a carrier too.
function addCarriers({ table, turnMarker, members, living }: CarrierSearch): boolean {
  if (turnMarker === "") return false;
  const strangers = living.filter((row) => !members.has(row.pid));
  const pids = strangers.map((row) => row.pid);
  const { carriers, blank } = table.findCarriers(pids, turnMarker);
  const found = new Set(carriers);
  for (const row of strangers) if (found.has(row.pid)) members.set(row.pid, row.startTime);
  if (found.size > 0) addDescendants(members, living);
  return blank.length > 0;
}
