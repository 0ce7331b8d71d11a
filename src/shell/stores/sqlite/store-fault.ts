import { RalphError } from "../../../core/ralph-error.ts";

/** Turns a fault of the database at `path` into words with a remedy; any other error is returned as it is. */
export function storeFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_INVALID_STATE") return new RalphError("store", `The store ${path} is closed.`, null, error);
  if (error.code !== "ERR_SQLITE_ERROR") return error;
  const { reason, hint } = explain(resultCode(error), path);
  return new RalphError("store", `The store ${path} ${reason} (${error.message}).`, hint, error);
}

/** The database waits no longer for another writer. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && resultCode(error) === resultCodes.busy;
}

/** How long a write waits for the writes of other processes. */
export const busyWaitMsMax = 60_000;

/** Primary result codes of SQLite. */
const resultCodes = { busy: 5, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notDatabase: 26 };

/** The low byte, without the details of an extended code; 0 when the error is none of SQLite's. */
function resultCode(error: Error): number {
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}

function explain(code: number, path: string): { reason: string; hint: string | null } {
  switch (code) {
    case resultCodes.busy:
      return {
        reason: "stayed locked by another process",
        hint: "Look for a ralph process that is stopped (Ctrl-Z) or hangs, let it continue or end it, and try again.",
      };
    case resultCodes.corrupt:
    case resultCodes.notDatabase:
      return {
        reason: "is damaged, or no database at all; it was left as it is",
        hint:
          `Move ${path} with its -wal and -shm files to another folder and start again with an empty store; ` +
          "`sqlite3 FILE .recover` can often save what it held.",
      };
    case resultCodes.full:
      return { reason: "cannot grow: the disk is full", hint: "Make room on that disk and try again." };
    case resultCodes.readOnly:
    case resultCodes.cannotOpen:
      return {
        reason: "cannot be opened for writing",
        hint: "Check the owner and mode of the file and its folder, or set RALPH_STATE_HOME to another folder.",
      };
    default:
      return { reason: code === resultCodes.inputOutput ? "cannot be read or written" : "failed", hint: null };
  }
}
