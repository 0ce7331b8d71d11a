import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Artefact, Artefacts, Disk, KeptFiles } from "../ports.ts";
import { artefactName, artefactPath, keptFolder, kindFolder, runFolders, streamsFolder } from "./artefact-path.ts";
import { statIfThere } from "../lib/stat-if-there.ts";

/** Where the files lie: in the state folder, on this disk. */
export type FileArtefactsOptions = {
  folder: string;
  disk: Pick<Disk, "writeAtomic" | "openLog" | "readText" | "readLog" | "list" | "look">;
};

/** Artefacts as files of the state folder. */
export function createFileArtefacts({ folder, disk }: FileArtefactsOptions): Artefacts {
  const localPath = (artefact: Artefact): string => join(folder, artefactPath(artefact));
  return {
    ...createRunFiles(folder),
    localPath,
    put: async (artefact, content) => disk.writeAtomic(localPath(artefact), content, 0o600),
    append(artefact, keepBytesMax, taken) {
      const opened = taken === "replace" ? artefact : numbered(artefact, (each) => isThere(disk, localPath(each)));
      return { ...disk.openLog(localPath(opened), keepBytesMax, "private"), artefact: opened };
    },
    read: async (artefact, bytesMax) => disk.readText(localPath(artefact), bytesMax),
    readLog: (artefact) => disk.readLog(localPath(artefact)),
    async list(runId, kind) {
      const found = filesIn(disk, join(folder, kindFolder(runId, kind)));
      return found
        .map((path) => artefactName(kind, path))
        .filter((name) => name !== null)
        .toSorted();
    },
  };
}

/** The files of all runs, without a look into them: a store removes them with its rows. */
export function createRunFiles(folder: string): Pick<Artefacts, "sizes" | "remove"> {
  return {
    sizes: async () => runIds(folder).map((runId) => keptFiles(folder, runId)),
    async remove(runId) {
      const { streams, kept } = runFolders(runId);
      for (const path of [join(folder, streams), join(folder, kept)]) await removeFolder(path);
    },
  };
}

/** The first free name: the artefact's own, else the same with a number. */
function numbered(artefact: Artefact, isTaken: (artefact: Artefact) => boolean): Artefact {
  let free = artefact;
  for (let count = 1; isTaken(free) && count <= numbersMax; count += 1)
    free = { ...artefact, name: `${artefact.name}_${count}` };
  return free;
}

/** Far above what one iteration asks; it only ends the search. */
const numbersMax = 10_000;

/** A folder that cannot be looked at is named by the log that is opened in it. */
function isThere(disk: FileArtefactsOptions["disk"], path: string): boolean {
  try {
    return disk.look(path) !== null;
  } catch {
    return false;
  }
}

/** The files of a folder and of the folders in it, by their path below it. */
function filesIn(disk: FileArtefactsOptions["disk"], folder: string): string[] {
  return (disk.list(folder) ?? []).flatMap(({ name, kind }) => {
    if (kind === "file") return [name];
    const inner = kind === "folder" ? (disk.list(join(folder, name)) ?? []) : [];
    return inner.flatMap((file) => (file.kind === "file" ? [`${name}/${file.name}`] : []));
  });
}

function runIds(folder: string): string[] {
  const names = [streamsFolder, keptFolder].flatMap((each) => namesIn(join(folder, each)));
  return Array.from(new Set(names)).filter((name) => /^[\w-]+$/.test(name));
}

/** Files without a run are told by when the folder of its streams was changed: its driver makes that first. */
function keptFiles(folder: string, runId: string): KeptFiles {
  const { streams, kept } = runFolders(runId);
  const checks = join(folder, kept, "checks");
  const bytes = namesIn(checks).reduce((sum, role) => sum + folderBytes(join(checks, role)), 0);
  const changedAt = statIfThere(join(folder, streams))?.mtimeMs ?? 0;
  return { runId, bytes: bytes + folderBytes(join(folder, streams)), changedAt };
}

async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const reason = thrownText(error);
    throw new RalphError(
      "store",
      `The files of a removed run in ${path} cannot be removed (${reason}).`,
      "Remove them by hand.",
      error,
    );
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // Nothing was written yet, or the folder is just being removed by another process.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}

function folderBytes(path: string): number {
  return namesIn(path).reduce((sum, name) => sum + (statIfThere(join(path, name))?.size ?? 0), 0);
}
