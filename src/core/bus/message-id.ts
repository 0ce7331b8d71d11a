/** The last id given out; the next one is always above it. */
export type IdMark = { atNs: bigint; seq: number };

/** Sequence numbers of one nanosecond; their field has four digits. */
const seqMax = 9999;

/**
 * The next message id of a process. Ids rise with every call, also when the clock stands still or goes back, so they
 * are unique within a process; the pid tells processes apart.
 */
export function nextMessageId(last: IdMark | null, now: { atNs: bigint; pid: number }): { id: string; mark: IdMark } {
  const mark = nextMark(last, now.atNs);
  return { id: renderId(mark, now.pid), mark };
}

function nextMark(last: IdMark | null, atNs: bigint): IdMark {
  if (last === null || atNs > last.atNs) return { atNs, seq: 0 };
  return last.seq < seqMax ? { atNs: last.atNs, seq: last.seq + 1 } : { atNs: last.atNs + 1n, seq: 0 };
}

function renderId({ atNs, seq }: IdMark, pid: number): string {
  const [date = "", time = ""] = new Date(Number(atNs / 1_000_000n)).toISOString().split(/[T.]/);
  const fraction = String(atNs % 1_000_000_000n).padStart(9, "0");
  const stamp = `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${fraction}`;
  return `MSG-${stamp}-PID${String(pid).padStart(5, "0")}-${String(seq).padStart(4, "0")}`;
}
