import { setTimeout as wait } from "node:timers/promises";
import type { Family } from "./family.ts";
import type { TableRow } from "./process-table.ts";

/** After SIGKILL a process is gone at once, unless it waits for a device; then it is reported as a survivor. */
const killWaitMs = 2_000;

/** A process in the middle of `exec` shows its environment after this, so that the next look knows it. */
const execMs = 5;

const pollMsMin = 5;
const pollMsMax = 100;

/** Whom a signal is for. */
export type FamilyTarget = {
  family: Pick<Family, "survey" | "doubt" | "hasExempt">;
  /** The group the family started in; a signal to it reaches members born meanwhile. */
  groupId: number | null;
  /** What the parent itself knows of the first process, where the table may show nothing. */
  isRootRunning: () => boolean;
};

export type FamilyEndOptions = FamilyTarget & {
  /** How long members may end by themselves before they are told to. */
  settleMs: number;
  graceMs: number;
};

export type FamilyEnd = {
  /** The members that were told to end. */
  toldPids: Set<number>;
  isForced: boolean;
  survivors: number[];
};

/** Kills the members alive now, at once and without a look afterwards: for a program that is about to be gone. */
export function killFamily(target: FamilyTarget): void {
  signalAll(target, target.family.survey(), "SIGKILL");
}

/** The one way everything ends: SIGTERM, grace, SIGKILL, look whether all are gone. Returns as soon as they are. */
export async function endFamily(options: FamilyEndOptions): Promise<FamilyEnd> {
  const toldPids = new Set<number>();
  if (await becomesEmpty(options, options.settleMs, () => undefined))
    return { toldPids, isForced: false, survivors: [] };

  const told = options.family.survey();
  terminate(options, told);
  const names = new Set(told.map(nameOf));
  for (const member of told) toldPids.add(member.pid);
  const tellNewcomers = (members: readonly TableRow[]): void => {
    for (const member of members) {
      if (names.has(nameOf(member))) continue;
      names.add(nameOf(member));
      toldPids.add(member.pid);
      send(member.pid, "SIGTERM");
    }
  };
  if (await becomesEmpty(options, options.graceMs, tellNewcomers)) return { toldPids, isForced: false, survivors: [] };

  const kill = (members: readonly TableRow[]): void => {
    signalAll(options, members, "SIGKILL");
    for (const member of members) toldPids.add(member.pid);
  };
  kill(options.family.survey());
  const isGone = await becomesEmpty(options, killWaitMs, kill);
  const survivors = isGone ? [] : options.family.survey().map((member) => member.pid);
  return { toldPids, isForced: true, survivors };
}

const nameOf = (member: TableRow): string => `${member.pid} ${member.startTime}`;

// Looks until the family is gone, at least once, and hands the living members to `onLiving` each time.
async function becomesEmpty(
  options: FamilyEndOptions,
  timeoutMs: number,
  onLiving: (members: readonly TableRow[]) => void,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let pollMs = pollMsMin;
  // A look that may have missed someone is repeated before "all gone" is believed, after a wait where that helps.
  let isRepeated = false;
  let hasWaited = false;
  while (true) {
    const members = options.family.survey();
    const isEmpty = members.length === 0 && !options.isRootRunning();
    const doubt = options.family.doubt();
    if (isEmpty && (doubt === null || hasWaited || (isRepeated && doubt === "birth"))) return true;
    isRepeated = isEmpty;
    hasWaited = isEmpty && doubt === "blank";
    if (hasWaited) await wait(execMs);
    if (isEmpty) continue;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    onLiving(members);
    await wait(Math.min(pollMs, leftMs));
    pollMs = Math.min(pollMs * 2, pollMsMax);
  }
}

function terminate(options: FamilyEndOptions, members: readonly TableRow[]): void {
  signalAll(options, members, "SIGTERM");
  // A stopped process handles SIGTERM only after it continues.
  signalAll(options, members, "SIGCONT");
}

function signalAll(options: FamilyTarget, members: readonly TableRow[], signal: NodeJS.Signals): void {
  const { groupId } = options;
  const isGroupAlive = options.isRootRunning() || members.some((member) => member.groupId === groupId);
  const isGroupWhole = groupId !== null && !options.family.hasExempt(groupId);
  if (groupId !== null && isGroupAlive && isGroupWhole) send(-groupId, signal);
  for (const member of members) if (member.groupId !== groupId || !isGroupWhole) send(member.pid, signal);
}

// Gone meanwhile, or not ours to signal: whether it still lives is what the next survey tells.
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
