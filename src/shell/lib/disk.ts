import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createLogFile, readLogFile } from "./log-file.ts";
import type { Disk } from "../ports.ts";
import { readTextFile, textBytesMax } from "./read-text-file.ts";
import { createSharedFiles } from "./shared-files.ts";
import { isLeftTemporary, temporaryFor } from "./temporary-file.ts";

/** The file system of this machine. */
export function createDisk(): Disk {
  return { ...createSharedFiles(), readText, writeAtomic, openLog: createLogFile, readLog: readLogFile };
}

// At once: through the thread pool the few calls of a small file wait longer than they take.
async function readText(path: string, bytesMax = textBytesMax): Promise<string | null> {
  return readTextFile(path, { bytesMax, links: "follow" });
}

async function writeAtomic(
  path: string,
  content: string | Uint8Array,
  mode?: number,
  sync?: "unsynced",
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: isForOwner(mode) ? 0o700 : 0o777 });
  await removeLeft(folder);
  const temporary = temporaryFor(path);
  try {
    await writeWhole(temporary, { content, mode, isSynced: sync === undefined });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (sync === undefined) await syncFolder(folder);
}

/** Folders that this process has looked through. */
const swept = new Set<string>();

// What a process left that was killed between writing and renaming; in a project an agent or a delivery would find it.
async function removeLeft(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter(isLeftTemporary))
    // Somebody else may own it, or have made a folder of that name: neither is ours to remove.
    await rm(join(folder, name), { force: true }).catch(() => {});
}

type Writing = { content: string | Uint8Array; mode: number | undefined; isSynced: boolean };

async function writeWhole(path: string, { content, mode, isSynced }: Writing): Promise<void> {
  const file = await open(path, "wx", isForOwner(mode) ? 0o600 : 0o666);
  try {
    await file.writeFile(content);
    // Said apart from opening, which the mask of the process would narrow.
    if (mode !== undefined) await file.chmod(mode);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

function isForOwner(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o077) === 0;
}

// The new name is durable once its folder is. Some file systems cannot sync a folder; the content is in place anyway.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}
