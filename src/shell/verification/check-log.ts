import { join } from "node:path";
import { artefactPath } from "../stores/artefact-path.ts";
import { evidenceName } from "../stores/evidence-name.ts";
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
export type LoggedRun = Pick<RunContext, "runId" | "artefacts" | "disk" | "note"> & {
  frozen: Pick<RunContext["frozen"], "projectDir">;
};

/** Which check, in which turn. `logFile` is the documented name of the copy. */
export type LoggedCheck = { role: string; iteration: number; label: string; logFile: string };

/** Full output of a check kept on disk; beyond it head and tail. A failing build rarely prints a tenth of it. */
const logBytesMax = 256 * 1024 * 1024;

/** Opens both logs. What cannot be kept is named in the journal; the check counts anyway. */
export function openCheckLog({ runId, artefacts, disk, frozen, note }: LoggedRun, check: LoggedCheck): CheckLog {
  const { label, logFile } = check;
  const kept = artefacts.append({ runId, kind: "check", name: evidenceName(check) }, logBytesMax, "number");
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
      if (problem === null) return artefactPath(kept.artefact);
      const path = artefacts.localPath(kept.artefact);
      await note("warning", `The output of "${label}" could not be kept in ${path}: ${problem}.`);
      return null;
    },
  };
}
