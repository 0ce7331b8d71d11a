import type { FrozenRun } from "../../core/settings/frozen-run.ts";
import type { Disk } from "../ports.ts";

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

/** Writes `.ralph/.gitignore` unless there is one. */
export async function writeOwnIgnoreFile(disk: Disk, projectDir: string): Promise<void> {
  const path = `${projectDir}/.ralph/.gitignore`;
  if ((await disk.readText(path)) === null) await disk.writeAtomic(path, content);
}
