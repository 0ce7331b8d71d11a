import { availableParallelism, loadavg } from "node:os";

/** Processes that wait for each core at which bounds stop growing: the longest of them stay below the limit of a test. */
const patienceMax = 4;

/** A bound that holds on idle cores, stretched by how busy this machine is now. It ends what hangs; it measures nothing. */
export function patient(idleMs: number): number {
  const [load = 0] = loadavg();
  // Whole: it is given to what takes no fractions of a millisecond.
  return Math.round(idleMs * Math.min(patienceMax, Math.max(1, load / availableParallelism())));
}
