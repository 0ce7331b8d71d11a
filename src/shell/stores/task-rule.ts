/** Whether a task is as the writer expects it; null: it is. */
export function taskChange(found: number | null, expected: number | null): "added" | "changed" | "removed" | null {
  if (found === expected) return null;
  if (found === null) return "removed";
  return expected === null ? "added" : "changed";
}

/** When a task was written: two writes within a millisecond, or a clock that was set back, still differ. */
export function writtenAt(former: number | null, at: number): number {
  return former === null ? at : Math.max(at, former + 1);
}
