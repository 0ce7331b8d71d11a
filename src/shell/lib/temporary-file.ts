import { basename, dirname, join } from "node:path";
import type { Disk } from "../ports.ts";
import { isMakerDead, makerTag } from "./maker-tag.ts";

/** Where the next content of a file is written before it takes the file's name. */
export function temporaryFor(path: string): string {
  // Opened as a new file only, so chance need not be strong; loading `node:crypto` for it takes 7 ms.
  const chance = Math.random().toString(36).slice(2);
  return join(dirname(path), `.${basename(path)}.${makerTag()}-${chance}.tmp`);
}

/** Whether a process left a file of this name that was killed between writing and renaming. */
export function isLeftTemporary(name: string): boolean {
  const [, tag] = /^\..+\.(\d+\.[0-9a-f]+)-[0-9a-z]+\.tmp$/.exec(name) ?? [];
  return tag !== undefined && isMakerDead(tag);
}

/** Removes the files of a folder that killed processes left between writing and renaming. */
export function removeLeftTemporaries(disk: Pick<Disk, "list" | "remove">, folder: string): void {
  for (const { name, kind } of disk.list(folder) ?? [])
    if (kind === "file" && isLeftTemporary(name)) disk.remove(join(folder, name));
}
