import { RalphError, type RalphErrorCode } from "../ralph-error.ts";

/** Faults that end one task and leave the others alone. Any other, above all one of the store, ends the work run. */
const repairableCodes: readonly RalphErrorCode[] = ["scm", "locked", "agent", "settings", "prompt", "file", "contract"];

/** Why an operation of a task failed, when a person can repair it; null: the work run cannot continue. */
export function repairableReason(cause: unknown): string | null {
  if (!(cause instanceof RalphError) || !repairableCodes.includes(cause.code)) return null;
  return [cause.message, cause.hint ?? ""].join(" ").trim();
}
