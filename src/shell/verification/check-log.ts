import { join } from "node:path";
import { evidencePath } from "../stores/evidence-path.ts";
import type { RunContext } from "../run-context.ts";

/** The full output of one check: kept as evidence in the state folder, and copied into the work tree for the agent. */
export type CheckLog = {
  /** The copy, relative to the project. Nothing of ours reads it: an agent can rewrite it. */
  logFile: string;
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** The evidence, relative to the state folder; null when it could not be written. Must not reject. */
  close(): Promise<string | null>;
};

/** The run whose check is logged. */
export type LogPlace = Pick<RunContext, "runId" | "folder" | "disk" | "note"> & {
  frozen: Pick<RunContext["frozen"], "projectDir">;
};

/** Which check, in which turn. `logFile` is the documented name of the copy. */
export type LogOrder = { role: string; iteration: number; label: string; logFile: string };

/** Full output of a check kept on disk; beyond it head and tail. A failing build rarely prints a tenth of it. */
const logBytesMax = 256 * 1024 * 1024;

/** Opens both logs. What cannot be kept is named in the journal; the check counts anyway. */
export function openCheckLog({ runId, folder, disk, frozen, note }: LogPlace, order: LogOrder): CheckLog {
  const { label, logFile } = order;
  const evidence = evidencePath({ ...order, runId, isTaken: (path) => isThere(disk, join(folder, path)) });
  const kept = disk.openLog(join(folder, evidence), logBytesMax, "private");
  const copy = disk.openLog(join(frozen.projectDir, logFile), logBytesMax);
  return {
    logFile,
    write(chunk) {
      const written = [kept.write(chunk), copy.write(chunk)].filter((each) => each !== undefined);
      return written.length === 0 ? undefined : Promise.all(written).then(() => undefined);
    },
    async close() {
      const { problem } = await kept.close();
      await copy.close();
      if (problem === null) return evidence;
      await note("warning", `The output of "${label}" could not be kept in ${join(folder, evidence)}: ${problem}.`);
      return null;
    },
  };
}

/** A folder that cannot be looked at is named by the log that is opened in it. */
function isThere(disk: LogPlace["disk"], path: string): boolean {
  try {
    return disk.look(path) !== null;
  } catch {
    return false;
  }
}
