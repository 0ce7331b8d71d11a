/** The variable every process of a turn inherits; it finds those that left their group and lost their parent. */
export const markerVariable = "RALPH_TURN";

/** One process as the kernel shows it. */
export type TableRow = {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** With the pid it names one process forever: it tells boots apart too. */
  startTime: string;
  /** Orders processes of this boot by their start; equal within one clock tick. */
  startedAt: number;
  /** Dead, but its parent has not yet asked how it ended. */
  isZombie: boolean;
};

/** A moment told by the machine's births, threads included: how many since its start, and the pid given out last. */
export type Births = { count: number; lastPid: number };

/** The machine's processes at this moment. Nothing here throws: what vanished or is hidden is left out. */
export type ProcessTable = {
  /** All of them; those who were there at `since` may be left out, for reading one takes time. */
  readAll(since: Births | null): TableRow[];
  readOne(pid: number): TableRow | null;
  /** `startedAt` of a recorded `startTime`; null when that was in another boot or cannot be read. */
  startedAtOf(startTime: string): number | null;
  /**
   * Those of `pids` whose environment holds `RALPH_TURN=<marker>` or one below it (`<marker>/…`), and those who show none: a process in the middle of
   * `exec` has none for a moment. Costs one read each: ask about few.
   */
  findCarriers(pids: readonly number[], turnMarker: string): { carriers: number[]; blank: number[] };
  /** Now. The same count before and after a look means that nobody was born meanwhile. Null: nobody can tell. */
  births(): Births | null;
};
