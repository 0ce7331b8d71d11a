import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createLogFile, readLogFile } from "./log-file.ts";
import { isMakerDead, makerTag } from "./maker-tag.ts";
import type { Disk } from "./ports.ts";
import { readTextFile, textBytesMax } from "./read-text-file.ts";
import { createSharedFiles } from "./shared-files.ts";

/** The file system of this machine. */
export function createDisk(): Disk {
  return { ...createSharedFiles(), readText, writeAtomic, openLog: createLogFile, readLog: readLogFile };
}

// At once: through the thread pool the few calls of a small file wait longer than they take.
async function readText(path: string, bytesMax = textBytesMax): Promise<string | null> {
  return readTextFile(path, { bytesMax, links: "follow" });
}

async function writeAtomic(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  await removeLeft(folder);
  // Opened as a new file only, so chance need not be strong; loading `node:crypto` for it takes 7 ms.
  const temporary = join(folder, `.${basename(path)}.${makerTag()}-${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await writeSynced(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Folders that this process has looked through. */
const swept = new Set<string>();

// What a process left that was killed between writing and renaming; in a project an agent or a delivery would find it.
async function removeLeft(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tag] = /^\..+\.(\d+\.[0-9a-f]+)-[0-9a-z]+\.tmp$/.exec(name) ?? [];
    // Somebody else may own it, or have made a folder of that name: neither is ours to remove.
    if (tag !== undefined && isMakerDead(tag)) await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

async function writeSynced(path: string, content: string | Uint8Array, mode: number | undefined): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    // Said apart from opening, which the mask of the process would narrow.
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

// The new name is durable once its folder is. Some file systems cannot sync a folder; the content is in place anyway.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}
