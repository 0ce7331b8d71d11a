import { readlinkSync } from "node:fs";

/** The PID namespace of a process as Linux names it; null: the process is gone or hidden, or the system has no such thing. */
export function pidNamespaceOf(pid: number | "self"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}
