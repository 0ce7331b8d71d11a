import { join } from "node:path";
import { readTaskFile } from "../../core/prd/list/read-task-file.ts";
import type { TaskFile } from "../../core/prd/list/task-file.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { writeOwnIgnoreFile } from "../lib/keep-out-of-git.ts";
import type { Disk } from "../ports.ts";
import { readSharedText } from "../lib/read-shared-text.ts";

/** Files of a task list, all of which an agent can write. */
export type ListFiles = { disk: Disk; projectDir: string; folder: { path: string; name: string } };

/** The task file as it was found: read and valid, or what is wrong with it. */
export type FoundList = { text: string; file: TaskFile } | { problem: string };

/** Reads the task file: a small regular file that is a task file, or a sentence that says why not. */
export function readList({ disk, folder }: Pick<ListFiles, "disk" | "folder">): FoundList {
  const text = readOrProblem(disk, folder, "tasks.json");
  if (typeof text !== "string") return text;
  const { file, problems } = readTaskFile(text);
  return file === undefined ? { problem: problems.join("; ") } : { text, file };
}

/** A text of the folder, or why it cannot be had. A folder that is a link is somebody else's. */
export function readOrProblem(disk: Disk, folder: ListFiles["folder"], name: string): string | { problem: string } {
  const entry = disk.look(folder.path);
  if (entry !== null && entry.kind !== "folder") return { problem: `${folder.name} is not a folder` };
  try {
    return readSharedText(join(folder.path, name), disk) ?? { problem: `${folder.name}/${name} is missing` };
  } catch (error) {
    return { problem: thrownText(error) };
  }
}

/**
 * Brings a file back with a text of ours. What stands there now is kept in `.ralph/` under the returned name; null when
 * nothing stood there. Rejects when the file cannot be written.
 */
export async function bringBack(
  files: ListFiles,
  { name, text, iteration }: { name: string; text: string; iteration: number },
): Promise<string | null> {
  const { disk, projectDir, folder } = files;
  const isFolder = disk.look(folder.path)?.kind === "folder";
  const path = isFolder ? join(folder.path, name) : folder.path;
  await ensureOwnFolder(files);
  const kept = disk.look(path) === null ? null : freeName(files, `kept_${padded(iteration)}_${name}`);
  if (kept !== null) disk.rename(path, join(projectDir, kept));
  await disk.writeAtomic(join(folder.path, name), text);
  return kept;
}

/**
 * Sees to it that `.ralph/` is there and stays out of git: `git clean` removes it, and an agent may put anything in its
 * place, which is then kept beside it.
 */
export async function ensureOwnFolder({ disk, projectDir }: Pick<ListFiles, "disk" | "projectDir">): Promise<void> {
  const path = join(projectDir, ".ralph");
  const entry = disk.look(path);
  if (entry !== null && entry.kind !== "folder") {
    const names = Array.from(
      { length: keptFoldersMax },
      (_, number) => `${path}.kept${number === 0 ? "" : `-${number}`}`,
    );
    disk.rename(path, names.find((name) => disk.look(name) === null) ?? `${path}.kept`);
  }
  await writeOwnIgnoreFile(disk, projectDir);
}

/** More often nobody does it by mistake; then the first one is overwritten. */
const keptFoldersMax = 100;

/** Iterations sort as people read them. */
export function padded(iteration: number): string {
  return String(iteration).padStart(3, "0");
}

/** A name in `.ralph/`, relative to the project, that overwrites nothing that was kept before. */
export function freeName({ disk, projectDir }: Pick<ListFiles, "disk" | "projectDir">, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = `.ralph/${number === 1 ? wanted : wanted.replace(/(?=\.\w+$)/, `_${number}`)}`;
    if (disk.look(join(projectDir, name)) === null) return name;
  }
}
