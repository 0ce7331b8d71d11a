import { basename } from "node:path";
import { parse, stringify } from "yaml";
import { RalphError } from "../../../core/ralph-error.ts";
import {
  type ForeignFields,
  parseRunRecord,
  runRecordFields,
  type RunReading,
  type SupervisedRun,
  unknownRun,
} from "../../../core/supervise/run-record.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import { type Identities, takeLockFile } from "../../lib/lock-file.ts";
import type { Clock, Disk } from "../../ports.ts";
import { readSharedText } from "../../lib/read-shared-text.ts";
import type { RunFolder } from "./task-folder.ts";

/** What records are kept with. */
export type RecordKeeping = { disk: Disk; clock: Clock; identities: Identities };

/** A run with what is wrong with its record; the run is then of status `unknown`. */
export type RunInfoReading = {
  run: SupervisedRun;
  foreign: ForeignFields;
  problem: { kind: "missing" | "broken" | "newer-version"; message: string } | null;
};

/** As long as other tools wait. */
const lockWaitMs = 5_000;

/** Reads the record of a run. Must not reject: a missing, half or newer record is a run of status `unknown`. */
export async function readRunInfo(folder: RunFolder, disk: Disk): Promise<RunInfoReading> {
  const unknown = { run: unknownRun(basename(folder.path)), foreign: {} };
  const failed = (kind: "missing" | "broken" | "newer-version", message: string): RunInfoReading => ({
    ...unknown,
    problem: { kind, message: `${folder.infoFile}: ${message}` },
  });
  try {
    const text = readSharedText(folder.infoFile, disk);
    if (text === null) return failed("missing", "there is no such file");
    const reading: RunReading = parseRunRecord(parse(text, { logLevel: "error" }));
    if (!reading.isRead) return failed(reading.problem, reading.message);
    return { run: reading.run, foreign: reading.foreign, problem: null };
  } catch (error) {
    return failed("broken", thrownText(error));
  }
}

/** Writes the record of a new run, whole or not at all. */
export async function writeRunInfo(folder: RunFolder, run: SupervisedRun, disk: Disk): Promise<void> {
  await writeRecord(folder, { run, foreign: {} }, disk);
}

/**
 * Changes a record under its lock and returns it. `change` sees the record as it is then and says null to leave it.
 * Fields of other tools stay. Throws code `supervised` when the record cannot be read or its lock is not to be had.
 */
export async function updateRunInfo(
  folder: RunFolder,
  change: (run: SupervisedRun) => Partial<SupervisedRun> | null,
  { disk, clock, identities }: RecordKeeping,
): Promise<SupervisedRun> {
  const path = `${folder.infoFile}.lock`;
  const lock = await takeLockFile({ path, files: disk, identities, clock, waitMs: lockWaitMs });
  if (lock === null) throw new RalphError("supervised", `${path} is held by another process.`);
  try {
    const { run, foreign, problem } = await readRunInfo(folder, disk);
    if (problem !== null) throw new RalphError("supervised", problem.message);
    const changes = change(run);
    if (changes === null) return run;
    const changed = { ...run, ...changes };
    await writeRecord(folder, { run: changed, foreign }, disk);
    return changed;
  } finally {
    lock.release();
  }
}

function writeRecord(
  folder: RunFolder,
  { run, foreign }: { run: SupervisedRun; foreign: ForeignFields },
  disk: Disk,
): Promise<void> {
  return disk.writeAtomic(folder.infoFile, stringify(runRecordFields(run, foreign), { lineWidth: 0 }));
}
