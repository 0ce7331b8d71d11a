import { access, constants, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Store } from "../ports.ts";
import { fine, type Finding } from "./finding.ts";

/** Files counted; a store has a few for each turn, and is pruned. */
const filesMax = 100_000;

/** The folder with all runs: whether it can be written, its size, and how many runs it holds. Creates nothing. */
export async function findStore(folder: string, openStore: () => Promise<Store>): Promise<Finding> {
  const name = "store";
  const broken = (text: string, remedy: string): Finding => ({ name, state: "broken", text, remedy });
  const writable = await nearestFolder(folder);
  if (!(await isWritable(writable)))
    return broken(`${folder} cannot be written`, `Change the permissions of ${writable}, or set RALPH_STATE_HOME.`);
  if (writable !== folder) return fine(name, `${folder}, made by the first run`);
  try {
    const size = formatBytes(await sizeOf(folder));
    const isEmpty = (await stat(join(folder, "ralph.db")).catch(() => null)) === null;
    const runs = isEmpty ? 0 : await countRuns(await openStore());
    return fine(name, `${folder}, ${size}, ${runs} ${runs === 1 ? "run" : "runs"}`);
  } catch (error) {
    if (!(error instanceof RalphError)) return broken(`${folder}: ${String(error)}`, "See what is in this folder.");
    return broken(error.message, error.hint ?? "See what is in this folder.");
  }
}

async function nearestFolder(folder: string): Promise<string> {
  const facts = await stat(folder).catch(() => null);
  return facts !== null || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    if (!(await stat(folder)).isDirectory()) return false;
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).slice(0, filesMax);
  let bytes = 0;
  // A file may be pruned meanwhile.
  for (const file of files) bytes += (await stat(join(file.parentPath, file.name)).catch(() => null))?.size ?? 0;
  return bytes;
}

async function countRuns(store: Store): Promise<number> {
  const runs = await store.list({ directory: null, limit: null });
  await store.close();
  return runs.length;
}

function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
