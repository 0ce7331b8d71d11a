import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readBytesFile } from "../../../shell/lib/read-text-file.ts";
import { writeAtomicNow } from "../../../shell/lib/write-atomic-now.ts";
import { stateFolder } from "../../../shell/stores/state-folder.ts";

/**
 * The folder with what V8 made of the parts of a hook, for this Node. What lies there runs as code, so it lies in the state folder,
 * outside of every project and of the agents' reach, and never beside a plugin, which may be part of a project. Null where there is
 * no state folder.
 */
export function compiledFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = stateFolder(env, process.platform, homedir());
    return join(folder, "compiled", `${process.version}-${process.arch}`);
  } catch {
    // A state folder that cannot be used is named by the hook itself.
    return null;
  }
}

/** Whether nobody but this user can put a file into a folder. False where the system cannot say. */
export function isOwnFolder(folder: string): boolean {
  if (process.getuid === undefined) return false;
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** What one part was built from: V8 compares only the length of a text with that of the one it compiled. */
export type PartKey = { name: string; hash: string };

/** More than a part of a hook comes to, twice. */
const bytesMax = 64 * 1024 * 1024;

/**
 * What V8 made of a part; null where it is not there or is damaged. V8 itself would end the process over a damaged one, and a sum of
 * it takes longer than it saves: so it is stored twice, and the two are compared.
 */
export function readCompiled(folder: string, key: PartKey): Buffer | null {
  try {
    const bytes = readBytesFile(pathOf(folder, key), { bytesMax, links: "refuse" });
    if (bytes === null || bytes.length === 0 || bytes.length % 2 !== 0) return null;
    const [first, second] = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
    return first.equals(second) ? first : null;
  } catch {
    return null;
  }
}

/** Keeps what V8 made of a part, unless it is kept already, and forgets what it made of the same part of another build. */
export function writeCompiled(folder: string, key: PartKey, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) throw new Error(`${folder} can be written by others`);
  if (readCompiled(folder, key) !== null) return;
  writeAtomicNow(pathOf(folder, key), Buffer.concat([bytes, bytes]));
  const isFormer = (name: string): boolean =>
    name.startsWith(`${key.name}.`) && join(folder, name) !== pathOf(folder, key);
  for (const name of readdirSync(folder).filter(isFormer)) rmSync(join(folder, name), { force: true });
}

function pathOf(folder: string, { name, hash }: PartKey): string {
  return join(folder, `${name}.${hash}`);
}
