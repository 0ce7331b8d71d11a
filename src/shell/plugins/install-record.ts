import { createHash } from "node:crypto";
import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { flag, hasShape, list, mapOf, number, objectOf, oneOf, type Shape, text } from "../../core/shape/shape.ts";
import type { KeyPath } from "./edit-json.ts";
import type { Disk } from "../ports.ts";
import { readTextFile, textBytesMax } from "../lib/read-text-file.ts";
import type { InstallOptions } from "./plugin-host.ts";

/** What an installation made, so that it can be undone to the last folder. It lies beside the store. */
export type InstallRecord = {
  version: 1;
  guard: "in-loops" | "always";
  /** Our files, with the hash of what we wrote: one that was edited since is somebody's work. */
  files: Record<string, string>;
  members: { path: string; keys: KeyPath; madeObjects: number; isFileMade: boolean }[];
  /** Folders that were not there, the outermost first. */
  folders: string[];
};

const keys: Shape<KeyPath> = {
  problem: (value, path) =>
    list(text).problem(value, path) ?? (Array.isArray(value) && value.length > 0 ? null : `${path} is empty`),
};
const recordShape = objectOf<InstallRecord>({
  version: oneOf(1),
  guard: oneOf("in-loops", "always"),
  files: mapOf(text),
  members: list(
    objectOf<InstallRecord["members"][number]>({ path: text, keys, madeObjects: number, isFileMade: flag }),
  ),
  folders: list(text),
});

/** Where the record of an installation lies. */
export function recordPath(stateFolder: string, host: string, { scope, projectDir }: InstallOptions): string {
  const of = scope === "user" ? "user" : `project-${hashOf(projectDir).slice(0, 16)}`;
  return join(stateFolder, "plugins", `${host}-${of}.json`);
}

/** Null: missing or unreadable; then only files that are certainly ralph's are changed. */
export function readRecord(path: string): InstallRecord | null {
  try {
    const record: unknown = JSON.parse(readTextFile(path, { bytesMax: textBytesMax, links: "follow" }) ?? "");
    return hasShape(recordShape, record) ? record : null;
  } catch {
    // Missing or torn: the plan and its mark are enough to continue.
    return null;
  }
}

/** Stored before anything else is done: what is half done can be undone. */
export async function writeRecord(disk: Disk, path: string, record: InstallRecord): Promise<void> {
  await disk.writeAtomic(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

/** Removes the record, and its folder when it was the last. */
export function removeRecord(path: string): void {
  rmSync(path, { force: true });
  removeEmptyFolder(join(path, ".."));
}

/** Whether it is gone now; one that holds anything stays. */
export function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    // Not empty, or not there: both are as they should be.
    return false;
  }
}

/** Content is compared by hash, so that a record stays small. */
export function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
