import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Disk } from "../ports.ts";
import { isLeftTemporary } from "./temporary-file.ts";

const content = "*\n!settings.json\n!.gitignore\n";

/**
 * Puts a `.gitignore` into `.ralph/` before a run writes logs or answers there. One that is there stays.
 * Must not reject: what went wrong is returned for the journal.
 */
export async function keepOutOfGit(disk: Disk, { projectDir, settings, prd }: FrozenRun): Promise<string | null> {
  if (settings.guardrails.length === 0 && settings.scm === null && prd === undefined) return null;
  try {
    await writeOwnIgnoreFile(disk, projectDir);
    return null;
  } catch (cause) {
    return `${projectDir}/.ralph/.gitignore could not be written: ${String(cause)}`;
  }
}

/** Writes `.ralph/.gitignore` unless there is one, and removes what another process left that was killed while it wrote. */
export async function writeOwnIgnoreFile(disk: Disk, projectDir: string): Promise<void> {
  const folder = `${projectDir}/.ralph`;
  const path = `${folder}/.gitignore`;
  if ((await disk.readText(path)) === null) return disk.writeAtomic(path, content);
  // Role runs may write it side by side: the one that was killed need not be the last.
  for (const { name, kind } of disk.list(folder) ?? [])
    if (kind === "file" && isLeftTemporary(name)) disk.remove(`${folder}/${name}`);
}
