import { dirname, join, resolve, sep } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Disk, LogFile } from "../ports.ts";

/**
 * A disk that writes nothing below the project directory through a link: an agent can replace `.ralph`, a folder in it or
 * the project directory itself by a link that leads into the files of a person. Reading is as before. `projectDir` must
 * have no links in it when the run starts. `onDropped` is told, once for each folder, when a log is dropped for this reason.
 */
export function createProjectDisk(
  disk: Disk,
  projectDir: string,
  onDropped: (reason: string) => void = () => {},
): Disk {
  const told = new Set<string>();
  const check = (path: string): string => {
    refuseLinks(disk, projectDir, path);
    return path;
  };
  return {
    ...disk,
    open: (path, purpose) => disk.open(purpose === "append" ? check(path) : path, purpose),
    createOnce: (path, text) => disk.createOnce(check(path), text),
    rename: (from, to) => disk.rename(check(from), check(to)),
    remove: (path) => disk.remove(check(path)),
    writeAtomic: async (path, content, mode, sync) => disk.writeAtomic(check(path), content, mode, sync),
    openLog(path, keepBytesMax, access) {
      try {
        return disk.openLog(check(path), keepBytesMax, access);
      } catch (error) {
        const reason = thrownText(error);
        if (!told.has(reason)) onDropped(reason);
        told.add(reason);
        return droppingLog(reason);
      }
    },
  };
}

/** Refuses a project whose `.ralph` is not a folder, before anything is written there. */
export function requireOwnFolder(disk: Pick<Disk, "look">, projectDir: string): void {
  refuseLinks(disk, projectDir, join(projectDir, ".ralph", "any"));
}

/** Looks at every folder on the way to `path`, which may itself be a link: writing replaces or refuses it. */
function refuseLinks(disk: Pick<Disk, "look">, projectDir: string, path: string): void {
  const whole = resolve(path);
  if (!whole.startsWith(projectDir.endsWith(sep) ? projectDir : projectDir + sep)) return;
  for (let folder = dirname(whole); dirname(folder) !== folder; folder = dirname(folder))
    if (disk.look(folder)?.kind === "other")
      throw new RalphError(
        "file",
        `${folder} is a link or a special file, not a folder: nothing is written through it.`,
        "Put a folder in its place.",
      );
}

function droppingLog(problem: string): LogFile {
  let bytes = 0;
  return {
    write: (chunk) => {
      bytes += chunk.length;
      return undefined;
    },
    close: () => Promise.resolve({ bytes, droppedBytes: bytes, problem }),
  };
}
