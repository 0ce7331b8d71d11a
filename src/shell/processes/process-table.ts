/** The variable every process of a turn inherits; it finds those that left their group and lost their parent. */
export const markerVariable = "RALPH_TURN";

/** One process as the kernel shows it. */
export type TableRow = {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** With the pid it names one process for ever: it tells boots apart too. */
  startTime: string;
  /** Orders processes of this boot by their start; equal within one clock tick. */
  startedAt: number;
  /** Dead, but its parent has not yet asked how it ended. */
  isZombie: boolean;
};

/** The machine's processes at this moment. Nothing here throws: what vanished or is hidden is left out. */
export type ProcessTable = {
  readAll(): TableRow[];
  readOne(pid: number): TableRow | null;
  /** `startedAt` of a recorded `startTime`; null when that was in another boot or cannot be read. */
  startedAtOf(startTime: string): number | null;
  /** Those of `pids` whose environment holds `RALPH_TURN=<marker>`. Costs one read each: ask about few. */
  findCarriers(pids: readonly number[], marker: string): number[];
};
